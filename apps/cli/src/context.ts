import type { Filesystem } from "@fs/protocol";
import { loadConfig, type LoadedConfig, openTree, type Scope, type Tree } from "@fs/config";
import type { Output } from "./output.js";

/** What a command works with. */
export interface Context {
  readonly output: Output;
  /** Fires when the person interrupts. */
  readonly signal: AbortSignal;
  /** The configuration that applies. */
  readonly load: () => Promise<LoadedConfig>;
  /** Opens what of the tree a command needs. It is closed when the command ends. */
  readonly open: (scope?: Scope) => Promise<Tree>;
  /** As {@link open}; just the filesystem. */
  readonly files: (paths: readonly string[], deep?: boolean) => Promise<Filesystem>;
  readonly close: () => Promise<void>;
}

/** A command's own options, by their camel-cased names. */
export type Options = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** What the file of a command exports: it does the work and answers the exit code. */
export type Run = (context: Context, args: readonly string[], options: Options) => Promise<number>;

/**
 * The context of one command.
 *
 * @param file The configuration that is named, if any.
 * @param changes Whether the command is there to change files.
 */
export function contextOf(
  output: Output,
  signal: AbortSignal,
  file: string | undefined,
  changes: boolean,
): Context {
  const trees: Tree[] = [];
  const load = (): Promise<LoadedConfig> => loadConfig({ file });
  const open = async (scope?: Scope): Promise<Tree> => {
    const { config, folder } = await load();
    const tree = await openTree(config, { folder, ...(scope === undefined ? {} : { scope }) });
    trees.push(tree);
    output.hide(tree.redact);
    return tree;
  };
  return {
    output,
    signal,
    load,
    open,
    files: async (paths, deep = false) => {
      const { backend, routes } = await open({ paths, deep });
      const wanted = routes.filter((route) => route.backend !== undefined);
      if (changes && wanted.some(({ use }) => use === "memory"))
        output.note("Note: what is in memory is gone when this command ends.");
      return backend;
    },
    close: async () => {
      await Promise.all(trees.splice(0).map((tree) => tree.dispose()));
    },
  };
}
