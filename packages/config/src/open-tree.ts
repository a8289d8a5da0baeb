import {
  type Filesystem,
  CompositeBackend,
  ConfigurationError,
  readOnly,
  withPermissions,
  withQuota,
} from "@fs/protocol";
import { canonicalPath, prefixOf } from "@fs/protocol/author";
import { openBackend } from "./backends.js";
import { layered, type Layers } from "./layers.js";
import { type Config, parseConfig, type RouteConfig, type Use } from "./config.js";
import { type Environment, resolveVariables } from "./environment.js";
import { type Redact, redactorOf, secretsIn } from "./redact.js";
import { unopenedRoute } from "./unopened-route.js";

/** What of a tree is needed. Routes outside are not opened; they only show as directories. */
export interface Scope {
  /** Absolute paths that a call is about. */
  readonly paths: readonly string[];
  /** Whether what is below the paths is needed too. Default `true`. */
  readonly deep?: boolean;
}

/** How {@link openTree} opens. */
export interface OpenOptions {
  /** What relative directories are relative to: the folder of the configuration. Default: the current one. */
  readonly folder?: string;
  /** Default: that of the process. */
  readonly environment?: Environment;
  /** Default: everything. */
  readonly scope?: Scope;
}

/** A route of an open tree. */
export interface OpenRoute {
  /** The absolute directory, with a slash at its end. */
  readonly path: string;
  readonly use: Use;
  /** Whether nothing at this route can change. */
  readonly readOnly: boolean;
  /** The backend with what is about its route, or `undefined` where the scope left it out. */
  readonly backend: Filesystem | undefined;
}

/** A filesystem made of a configuration. */
export interface Tree extends Layers {
  /** Sorted by path. */
  readonly routes: readonly OpenRoute[];
  /** Hides every secret of the configuration and its variables in a text. */
  readonly redact: Redact;
  /** Closes every connection. */
  readonly dispose: () => Promise<void>;
}

/**
 * Opens a configuration. Backends are imported when they are needed.
 *
 * Rejects with a ConfigurationError: a part that does not fit the schema, a missing variable, a missing package (with the
 * command that installs it), or options that a backend refuses. No value of a variable or secret option is in it.
 *
 * @example
 * const tree = await openTree({ routes: { "/data/": { use: "disk", rootDir: "./data" } } });
 * try {
 *   console.log(await tree.backend.ls("/data"));
 * } finally {
 *   await tree.dispose();
 * }
 */
export async function openTree(given: Config, options: OpenOptions = {}): Promise<Tree> {
  const { folder = process.cwd(), environment = process.env, scope } = options;
  const checked = parseConfig(given);
  const routes = new Map<string, RouteConfig>([["/", { use: "memory" }]]);
  const secrets: string[] = [];
  for (const [name, route] of Object.entries(checked.routes)) {
    const path = name.endsWith("/") ? name : `${name}/`;
    if (path !== "/" && routes.has(path))
      throw new ConfigurationError(`The route '${path}' is there twice.`);
    routes.set(path, route);
  }
  const paths = [...routes.keys()].toSorted();
  const wanted = new Set(scope === undefined ? paths : within(paths, scope));
  const opened: OpenRoute[] = [];
  const closers: Array<() => Promise<void>> = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(closers.splice(0).map((close) => close()));
  };
  const open = async (label: string, place: string, route: RouteConfig): Promise<Filesystem> => {
    const resolved = resolveVariables(route, environment, place);
    secrets.push(...resolved.secrets, ...secretsIn(resolved.value));
    return openRoute(label, resolved.value as RouteConfig, folder, closers, secrets);
  };
  try {
    for (const path of paths) {
      const route = routes.get(path);
      if (route === undefined) continue;
      const { use, readOnly: locked = checked.readOnly ?? false } = route;
      const head = { path, use, readOnly: locked || checked.readOnly === true };
      if (!wanted.has(path)) {
        opened.push({ ...head, backend: undefined });
        continue;
      }
      const backend = await open(`Route '${path}'`, `routes.${path}`, route);
      opened.push({ ...head, backend });
    }
    const layers = await layered(
      composed(opened),
      checked,
      (backend) => ruled(backend, checked),
      (name, route) => open(`'${name}'`, name, route),
    );
    return { ...layers, routes: opened, redact: redactorOf(secrets), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openRoute(
  label: string,
  route: RouteConfig,
  folder: string,
  closers: Array<() => Promise<void>>,
  secrets: readonly string[],
): Promise<Filesystem> {
  try {
    const { backend, close, setup } = await openBackend(route, folder);
    closers.push(close);
    if (route.setup === true) {
      if (setup === undefined) throw new TypeError(`'${route.use}' needs no 'setup'.`);
      await setup();
    }
    const limited = route.quota === undefined ? backend : withQuota(backend, route.quota);
    return route.readOnly === true ? readOnly(limited) : limited;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it could not be opened.";
    throw new ConfigurationError(`${label}: ${redactorOf(secrets)(reason)}`);
  }
}

function composed(routes: readonly OpenRoute[]): Filesystem {
  const backends = routes.map(({ path, backend }): [string, Filesystem] => [
    path,
    backend ?? unopenedRoute(),
  ]);
  const [, root = unopenedRoute()] = backends.find(([path]) => path === "/") ?? [];
  const mounts = Object.fromEntries(backends.filter(([path]) => path !== "/"));
  return new CompositeBackend(root, mounts);
}

/** The rules of the whole tree about it. */
function ruled(tree: Filesystem, config: Config): Filesystem {
  const limited = config.quota === undefined ? tree : withQuota(tree, config.quota);
  const locked = config.readOnly === true ? readOnly(limited) : limited;
  return config.permissions === undefined ? locked : withPermissions(locked, config.permissions);
}

/** The routes that own a path of the scope, and those below where it is deep. */
function within(routes: readonly string[], { paths, deep = true }: Scope): readonly string[] {
  return paths.flatMap((path) => {
    // As the call will understand it: `//data/x` is in `/data/`. What is no path is refused wherever it arrives.
    const canonical = canonicalPath(path);
    if (canonical.failure !== undefined) return [];
    const directory = prefixOf(canonical.path);
    const owner = routes.filter((route) => directory.startsWith(route)).at(-1);
    const below = deep ? routes.filter((route) => route.startsWith(directory)) : [];
    return [...(owner === undefined ? [] : [owner]), ...below];
  });
}
