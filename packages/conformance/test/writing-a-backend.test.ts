import type { BackendProtocolV2 } from "@fs/protocol";
import type { VolumeFile } from "@fs/protocol/author";
import { BAD_STATUSES, runConformance } from "@fs/conformance";
import { readmeExamples, runExample } from "@fs/readme-examples";
import { expect, test } from "vitest";

/** The store that the page's example asks for. */
interface KeyValue {
  get(key: string): Promise<VolumeFile | undefined>;
  swap(key: string, version: string | undefined, next?: VolumeFile): Promise<boolean>;
  entries(): AsyncIterable<[key: string, value: VolumeFile]>;
}

type KeyValueBackend = new (store: KeyValue) => BackendProtocolV2;

function storeIn(map: Map<string, VolumeFile>): KeyValue {
  return {
    get: async (key) => map.get(key),
    swap: async (key, version, next) => {
      if (map.get(key)?.version !== version) return false;
      if (next === undefined) map.delete(key);
      else map.set(key, next);
      return true;
    },
    entries: async function* () {
      yield* map.entries();
    },
  };
}

test("the example of writing-a-backend.md earns Core, and Safe with its peer", async () => {
  const page = new URL("../../../docs/writing-a-backend.md", import.meta.url);
  const [example] = readmeExamples(page);
  if (example === undefined) throw new Error("The page has no example.");
  const { exports } = await runExample(example, { resolveFrom: import.meta.dirname });
  const Backend = exports["KeyValueBackend"] as KeyValueBackend;
  const maps = new Map<string, Map<string, VolumeFile>>();
  const open = ({ ns }: { readonly ns: string }): BackendProtocolV2 => {
    const map = maps.get(ns) ?? new Map<string, VolumeFile>();
    maps.set(ns, map);
    return new Backend(storeIn(map));
  };
  const report = await runConformance({ name: "example", profile: {}, create: open, peer: open });
  const bad = report.cases.filter(({ status }) => BAD_STATUSES.has(status));
  expect(bad.map(({ text, id }) => text ?? id)).toEqual([]);
  expect(report.levels).toMatchObject({ core: "earned", safe: "earned" });
});
