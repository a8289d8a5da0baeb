import { ConfigurationError, type Filesystem } from "@fs/protocol";
/** @ts-ignore Without the package there is no value of this type. */
import type { Journal } from "@fs/journal";
/** @ts-ignore Nor of these. */
import type { StagingBackend } from "@fs/staging";
import type { Config, RouteConfig } from "./config.js";

/** What lies over the routes of a tree. */
export interface Layers {
  readonly backend: Filesystem;
  /** The staged changes, where the configuration stages. */
  readonly staging: StagingBackend | undefined;
  /** The journal of the routes, where the configuration keeps one. */
  readonly journal: Journal | undefined;
  /** What the journal is kept in. Snapshots may be kept beside it. */
  readonly journalStore: Filesystem | undefined;
}

/** Opens the backend that a layer is kept in. */
export type OpenLayer = (name: string, route: RouteConfig) => Promise<Filesystem>;

/**
 * A tree with the layers of its configuration: the journal next to the routes, so that it records what really changes there,
 * and staging over it.
 *
 * @param rules The rules of the whole tree. They hold for what is staged, and again for what is committed.
 */
export async function layered(
  tree: Filesystem,
  { staging, journal }: Pick<Config, "staging" | "journal">,
  rules: (backend: Filesystem) => Filesystem,
  open: OpenLayer,
): Promise<Layers> {
  const recorded = journal && (await journalled(tree, journal, open));
  const ruled = rules(recorded?.backend ?? tree);
  const staged = staging && (await stagedOver(ruled, staging, open));
  return {
    backend: staged === undefined ? ruled : rules(staged),
    staging: staged,
    journal: recorded?.journal,
    journalStore: recorded?.store,
  };
}

async function journalled(
  tree: Filesystem,
  { store: route, content }: NonNullable<Config["journal"]>,
  open: OpenLayer,
): Promise<{ backend: Filesystem; journal: Journal; store: Filesystem }> {
  const { fileJournal, withJournal } = await installed("@fs/journal", () => import("@fs/journal"));
  const store = await open("journal.store", route);
  const backend = constructed("journal", () =>
    withJournal(tree, { store: fileJournal(store), ...(content === undefined ? {} : { content }) }),
  );
  return { backend, journal: backend.journal, store };
}

async function stagedOver(
  base: Filesystem,
  { upper }: NonNullable<Config["staging"]>,
  open: OpenLayer,
): Promise<StagingBackend> {
  const { StagingBackend: Staging } = await installed("@fs/staging", () => import("@fs/staging"));
  const layer = await open("staging.upper", upper);
  return constructed("staging", () => new Staging(base, { upper: layer }));
}

async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ConfigurationError(`'${name}' is needed and is not installed: npm install ${name}`);
  }
}

function constructed<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigurationError(`'${name}': ${error.message}`);
  }
}
