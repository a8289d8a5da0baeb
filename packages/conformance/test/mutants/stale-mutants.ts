import { MemoryBackend, MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { overlay, type Mutant } from "./mutant.js";

const VIEWS = ["read", "readRaw", "ls", "glob", "grep", "downloadFiles"] as const;
const CHANGES = ["write", "edit", "multiEdit", "delete", "move", "copy", "uploadFiles"] as const;

type View = (typeof VIEWS)[number];
type Change = (typeof CHANGES)[number];
type Call = (...args: unknown[]) => Promise<unknown>;

/** A backend that remembers what a view answered, until a change that it knows of. */
function caching(
  inner: VolumeBackend,
  view: View,
  knows: (change: Change) => boolean,
): BackendProtocolV2 {
  const cache = new Map<string, unknown>();
  const call = (method: View | Change): Call => (inner[method] as Call).bind(inner);
  const changes = CHANGES.map((change) => [
    change,
    async (...args: unknown[]): Promise<unknown> => {
      const answer = await call(change)(...args);
      if (knows(change)) cache.clear();
      return answer;
    },
  ]);
  return overlay(inner, {
    ...Object.fromEntries(changes),
    withoutHooks: undefined,
    [view]: async (...args: unknown[]) => {
      const key = JSON.stringify(args);
      const answer = cache.get(key) ?? (await call(view)(...args));
      cache.set(key, structuredClone(answer));
      return structuredClone(answer);
    },
  });
}

function pairOf(view: View): readonly [BackendProtocolV2, BackendProtocolV2] {
  const volume = new MemoryVolume();
  const client = (): BackendProtocolV2 => caching(new VolumeBackend(volume), view, () => true);
  return [client(), client()];
}

/** Views that go on showing what was, after one kind of change or after those of other clients. */
export const STALE_MUTANTS: readonly Mutant[] = [
  ...VIEWS.flatMap((view) =>
    CHANGES.map((change): Mutant => ({
      name: `stale/${view}-after-${change}`,
      rule: "A7",
      bug: `What ${view} answered is remembered, and ${change} does not clear it.`,
      create: () => caching(new MemoryBackend(), view, (other) => other !== change),
    })),
  ),
  ...VIEWS.map((view): Mutant => ({
    name: `stale/${view}-of-a-peer`,
    rule: "A7",
    bug: `What ${view} answered is remembered, whatever other clients change.`,
    create: () => pairOf(view)[0],
    pair: () => pairOf(view),
  })),
];
