import { blobStore, applyChanges, changeSet, intentLog, sideOf } from "@fs/changes";
import { runConformance } from "@fs/conformance";
import { type Filesystem, interceptBackend, MemoryBackend } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { StagingBackend } from "@fs/staging";
import { expect, test } from "vitest";
import { BaseLayer } from "../src/base-layer.js";
import { stagingVolume } from "../src/staging-volume.js";
import { type Overlay, type StagedPath, UpperLayer } from "../src/upper-layer.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An upper layer that forgets what was removed. */
class ForgetfulUpper extends UpperLayer {
  override async atMany(paths: readonly string[]): Promise<StagedPath[]> {
    const staged = await super.atMany(paths);
    return staged.map(({ own }) => (own?.entry.op === "put" ? { own } : {}));
  }
  override async below(directory: string): Promise<Overlay> {
    return { ...(await super.below(directory)), gone: new Map() };
  }
}

test("the suite finds an overlay that forgets what was removed", async () => {
  const report = await runConformance(
    {
      name: "forgetful",
      create: async () => {
        const layers = {
          upper: new ForgetfulUpper(new MemoryBackend()),
          base: new BaseLayer(new MemoryBackend()),
        };
        const volume = stagingVolume(layers);
        // Files begin in the base, so that removing one needs an entry.
        const put = layers.base.files.put;
        return new VolumeBackend({
          ...volume,
          put: async (path, content) => ({ version: `b:${(await put(path, content)).version}` }),
        });
      },
    },
    { only: ["delete/file"] },
  );
  expect(report.cases.some(({ status }) => status === "fail")).toBe(true);
});

/** A base that ignores every condition, as a commit without conditions would use it. */
function unconditional(base: MemoryBackend): Filesystem {
  return Object.assign(
    interceptBackend(base, async (_, proceed) => proceed()),
    {
      uploadFiles: (files: Array<[string, Uint8Array]>) =>
        base.uploadFiles(files.map(([path, content]) => [path, content])),
      delete: (path: string) => base.delete(path),
    },
  );
}

/** What a commit beside a colleague leaves: the colleague's file must be there. */
async function colleaguesFile(make: (base: MemoryBackend) => Filesystem): Promise<unknown> {
  const base = new MemoryBackend();
  await base.write("/a", "1\n");
  const staged = new StagingBackend(make(base));
  await staged.edit("/a", "1", "ours");
  await base.edit("/a", "1", "theirs");
  await staged.commit();
  return (await base.read("/a")).content;
}

test("a commit without conditions loses a colleague's file, and ours does not", async () => {
  expect(await colleaguesFile((base) => base)).toBe("theirs\n");
  expect(await colleaguesFile(unconditional)).toBe("ours\n");
});

test("a resume that does not look at hashes overwrites what was put back, and ours does not", async () => {
  const resumed = async (exactVersions: boolean): Promise<unknown> => {
    const [base, kept] = [new MemoryBackend(), new MemoryBackend()];
    const { version } = await base.write("/a", "1");
    const blobs = blobStore(kept);
    await blobs.put([bytes("1"), bytes("2")]);
    const set = changeSet([
      { path: "/a", before: sideOf(bytes("1"), version), after: sideOf(bytes("2")) },
    ]);
    const log = intentLog(kept);
    await log.freeze(set);
    await base.edit("/a", "1", "2");
    await base.edit("/a", "2", "1");
    await applyChanges(base, set, exactVersions ? { blobs, log } : { blobs });
    return (await base.read("/a")).content;
  };
  expect(await resumed(true)).toBe("1");
  expect(await resumed(false)).toBe("2");
});

test("an entry that is stored before its content shows a file that cannot be read, and ours does not", async () => {
  const shown = async (reversed: boolean): Promise<readonly unknown[]> => {
    const kept = new MemoryBackend();
    const dying = interceptBackend(kept, async ({ method, args }, proceed, refuse) => {
      const text = method === "uploadFiles" ? JSON.stringify(args[0]) : "";
      const first = reversed ? "/entries/" : "/blobs/";
      if (method !== "uploadFiles" || text.includes(first)) return proceed();
      return refuse({ error: "The process has died.", code: "unavailable" });
    });
    await new StagingBackend(new MemoryBackend(), { upper: dying }).write("/a", "x");
    return (await new StagingBackend(new MemoryBackend(), { upper: kept }).ls("/")).files ?? [];
  };
  expect(await shown(false)).toEqual([]);
});
