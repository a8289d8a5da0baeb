import type { Created, Harness, Instance } from "@fs/conformance";
import { type AnyBackendProtocol, MemoryBackend } from "@fs/protocol";
import { KeyedQueue } from "@fs/protocol/async";
import { StagingBackend } from "@fs/staging";
import { splitStaging } from "./split-staging.js";

/** What a harness has of its base. */
type Base = AnyBackendProtocol & object;

/**
 * A harness whose backends are staged over those of another. Files begin in the upper layer; with `split` half of them are
 * in the base. Peers share base and upper layer, as two processes on them do. Where the base can be reopened, both layers are
 * opened anew for a restart.
 */
export function stagingOver(
  harness: Harness,
  {
    split = false,
    upper = () => new MemoryBackend(),
  }: {
    split?: boolean;
    upper?: (ns: string) => AnyBackendProtocol;
  } = {},
): Harness {
  const bases = new Map<
    string,
    { instance: Created<never> | Base; upper: AnyBackendProtocol; dispose?: () => unknown }
  >();
  const turns = new Map<string, KeyedQueue>();
  const turnsOf = (ns: string): KeyedQueue => {
    const known = turns.get(ns) ?? new KeyedQueue();
    turns.set(ns, known);
    return known;
  };
  const make = (ns: string, base: Base, over: AnyBackendProtocol): AnyBackendProtocol =>
    split ? splitStaging(base, over, turnsOf(ns)) : new StagingBackend(base, { upper: over });
  const again = ({ ns }: Instance): { backend: AnyBackendProtocol } => {
    const kept = bases.get(ns);
    if (kept === undefined) throw new Error(`No instance '${ns}' is open.`);
    return { backend: make(ns, kept.instance as Base, kept.upper) };
  };
  const reopened = async (instance: Instance): Promise<{ backend: AnyBackendProtocol }> => {
    const base = (await harness.reopen?.(instance)) as Base;
    return { backend: make(instance.ns, base, upper(instance.ns)) };
  };
  const declared = typeof harness.profile === "object" ? harness.profile : {};
  return {
    name: `staging over ${harness.name}${split ? ", half of the files in the base" : ""}`,
    ...(harness.setup && { setup: () => harness.setup?.() }),
    ...(harness.teardown && { teardown: () => harness.teardown?.() }),
    ...(harness.secrets && { secrets: harness.secrets }),
    ...(harness.timeoutMs !== undefined && { timeoutMs: harness.timeoutMs }),
    create: async (context) => {
      const created = await harness.create(context);
      const pair = "backend" in created && !("read" in created);
      const base = (pair ? created.backend : created) as Base;
      const over = upper(context.ns);
      bases.set(context.ns, { instance: base, upper: over });
      return {
        backend: make(context.ns, base, over),
        dispose: async () => {
          bases.delete(context.ns);
          turns.delete(context.ns);
          if (pair) await created.dispose?.();
          else if (Symbol.asyncDispose in base)
            await (base as AsyncDisposable)[Symbol.asyncDispose]();
        },
      } as Created<never>;
    },
    peer: again as never,
    reopen: (harness.reopen === undefined ? again : reopened) as never,
    profile: {
      ...declared,
      watch: "offered",
      execute: false,
      directories: "implicit",
      collisions: "refused",
      symlinks: "none",
      durable: declared.durable === true && harness.reopen !== undefined,
    },
  };
}
