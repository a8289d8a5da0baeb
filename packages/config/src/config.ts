import { type FilesystemPermission, type Quota, ConfigurationError } from "@fs/protocol";
import { isRecord, problemsOf } from "./check.js";
import { CONFIG_SCHEMA, type USES } from "./schema.js";

/** What a route may `use`. */
export type Use = (typeof USES)[number];

/** A backend at a route: which, what is about the route, and the backend's own options. */
export interface RouteConfig {
  readonly use: Use;
  readonly readOnly?: boolean;
  readonly quota?: Quota;
  /** Creates what the storage needs, such as a table, when the route is opened. Default `false`. */
  readonly setup?: boolean;
  readonly [option: string]: unknown;
}

/** A composed filesystem. */
export interface Config {
  /** By absolute directory. `/` is in memory unless it is named. */
  readonly routes: Readonly<Record<string, RouteConfig>>;
  readonly readOnly?: boolean;
  readonly permissions?: readonly FilesystemPermission[];
  readonly quota?: Quota;
  /** Changes wait in `upper` until they are committed; the routes are untouched before. Default: none. */
  readonly staging?: { readonly upper: RouteConfig };
  /** Every change of the routes is recorded in `store`, so that it can be undone. Default: none. */
  readonly journal?: { readonly store: RouteConfig; readonly content?: "full" | "hash" };
}

/** Without a configuration: the current folder at `/workspace`, read-only, and memory at `/`. */
export const DEFAULT_CONFIG: Config = {
  routes: { "/workspace/": { use: "disk", rootDir: ".", readOnly: true } },
};

/**
 * The value as a configuration. Throws a ConfigurationError that names every place that is wrong, and none of the values.
 *
 * @param source What it was read from, for the error.
 */
export function parseConfig(value: unknown, source = "the configuration"): Config {
  const problems = problemsOf(value, CONFIG_SCHEMA);
  if (!isConfig(value, problems)) throw new ConfigurationError(`${source}: ${problems.join(" ")}`);
  for (const route of Object.keys(value.routes)) {
    if (!/^\/(?:[^/\0]+\/?)*$/u.test(route))
      throw new ConfigurationError(
        `${source}: a route must be an absolute directory, such as '/data/'.`,
      );
  }
  return value;
}

function isConfig(value: unknown, problems: readonly string[]): value is Config {
  return problems.length === 0 && isRecord(value);
}
