import { ConfigurationError } from "@fs/protocol";
import type { Tree } from "@fs/config";
import type { Context } from "./context.js";

/** The staged changes of the configuration. Rejects with a ConfigurationError where it does not stage. */
export async function stagingOf(context: Context): Promise<NonNullable<Tree["staging"]>> {
  const { staging } = await context.open();
  if (staging === undefined)
    throw new ConfigurationError("This configuration stages nothing: it has no 'staging'.");
  return staging;
}

/** A tree whose configuration keeps a journal. */
export interface JournalledTree {
  readonly tree: Tree;
  readonly journal: NonNullable<Tree["journal"]>;
  /** What the journal is kept in. */
  readonly store: NonNullable<Tree["journalStore"]>;
}

/** The journal of the configuration. Rejects with a ConfigurationError where it keeps none. */
export async function journalOf(context: Context): Promise<JournalledTree> {
  const tree = await context.open();
  const { journal, journalStore: store } = tree;
  if (journal === undefined || store === undefined)
    throw new ConfigurationError("This configuration keeps no journal: it has no 'journal'.");
  return { tree, journal, store };
}
