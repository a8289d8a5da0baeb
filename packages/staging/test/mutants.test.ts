import {
  applyChanges,
  type BlobStore,
  blobStore,
  changeSet,
  hashOf,
  intentLog,
  sideOf,
} from "@fs/changes";
import { runConformance } from "@fs/conformance";
import {
  type AnyBackendProtocol,
  type Filesystem,
  interceptBackend,
  MemoryBackend,
} from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { StagingBackend } from "@fs/staging";
import { expect, test } from "vitest";
import { unconditional } from "../../changes/test/kills/others.mjs";
import { BaseLayer } from "../src/base-layer.js";
import { commitStaged } from "../src/commit.js";
import { stagingVolume } from "../src/staging-volume.js";
import type { Entry } from "../src/entry.js";
import { type Held, type Overlay, type StagedPath, UpperLayer } from "../src/upper-layer.js";
import { type Answer, everyOrder, StoppingClient } from "./stops.js";

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
        const { putMany: _, ...volume } = stagingVolume(layers);
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

/** An upper layer that stores an entry first, and the content that it names afterwards. */
class HastyUpper extends UpperLayer {
  readonly #late: Uint8Array[] = [];
  override readonly blobs: BlobStore;

  constructor(backend: AnyBackendProtocol) {
    super(backend);
    this.blobs = this.#hasty(blobStore(backend));
  }

  override async store<E extends Entry>(
    entry: E,
    held?: Held,
    signal?: AbortSignal,
  ): Promise<Held<E>> {
    const stored = await super.store(entry, held, signal);
    await blobStore(this.files.backend).put(this.#late.splice(0));
    return stored;
  }

  #hasty(blobs: BlobStore): BlobStore {
    return {
      ...blobs,
      put: async (contents) => {
        this.#late.push(...contents);
        return contents.map(hashOf);
      },
    };
  }
}

test("an entry that is stored before its content shows a file that cannot be read, and ours does not", async () => {
  const shown = async (Upper: typeof UpperLayer): Promise<unknown> => {
    const kept = new MemoryBackend();
    let uploads = 0;
    const dying = interceptBackend(kept, async ({ method }, proceed, refuse) =>
      method === "uploadFiles" && ++uploads > 1
        ? refuse({ error: "The process has died.", code: "unavailable" })
        : proceed(),
    );
    const base = new BaseLayer(new MemoryBackend());
    const volume = stagingVolume({ upper: new Upper(dying), base });
    const written = await new VolumeBackend(volume).write("/a", "x");
    expect(written.code).toBe("unavailable");
    const later = new StagingBackend(new MemoryBackend(), { upper: kept });
    return { files: (await later.ls("/")).files, code: (await later.read("/a")).code };
  };
  expect(await shown(UpperLayer)).toEqual({ files: [], code: "not_found" });
  expect(await shown(HastyUpper)).toMatchObject({
    files: [{ path: "/a" }],
    code: "unavailable",
  });
});

/** A base whose search cuts before anything is hidden, and does not say so. */
function cutEarly(base: MemoryBackend): Filesystem {
  return Object.assign(
    interceptBackend(base, async (_, proceed) => proceed()),
    {
      grep: async (...args: Parameters<MemoryBackend["grep"]>) => {
        const found = await base.grep(...args);
        return found.error === undefined ? { ...found, truncated: false } : found;
      },
    },
  );
}

test("a search that cuts before it hides misses what shows, and ours does not", async () => {
  const found = async (make: (base: MemoryBackend) => Filesystem): Promise<readonly string[]> => {
    const base = new MemoryBackend();
    for (const name of ["a", "b", "c", "d"]) await base.write(`/${name}`, "hit\n");
    const staged = new StagingBackend(make(base));
    await staged.delete("/a");
    await staged.delete("/b");
    return ((await staged.grep("hit", "/", null, 2)).matches ?? []).map(({ path }) => path);
  };
  expect(await found((base) => base)).toEqual(["/c", "/d"]);
  expect(await found(cutEarly)).toEqual(["/c"]);
});

test("a removed directory that takes along what appears later loses a colleague's file, and ours does not", async () => {
  const left = async (greedy: boolean): Promise<unknown> => {
    const backend = new MemoryBackend();
    await backend.write("/dir/a", "1");
    const base = new BaseLayer(backend);
    /** Every file that is in a removed directory now is taken for removed. */
    class GreedyUpper extends UpperLayer {
      override async below(directory: string): Promise<Overlay> {
        const overlay = await super.below(directory);
        const gone = new Map(overlay.gone);
        for (const { entry } of overlay.removals) {
          const inside = entry.op === "gone-tree" ? await base.below(entry.path, "**/*") : [];
          for (const file of inside) gone.set(file.path, await base.sideOf(file.path, file));
        }
        return { ...overlay, gone };
      }
    }
    const kept = new MemoryBackend();
    const upper = greedy ? new GreedyUpper(kept) : new UpperLayer(kept);
    const layers = { upper, base };
    await new VolumeBackend(stagingVolume(layers)).delete("/dir");
    await backend.write("/dir/later", "theirs");
    await commitStaged(layers, intentLog(kept), {});
    return (await backend.glob("**/*")).files?.map(({ path }) => path);
  };
  expect(await left(false)).toEqual(["/dir/later"]);
  expect(await left(true)).toEqual([]);
});

/** An upper layer in which the look after a file was stored finds nothing that another client has staged. */
class BlindUpper extends UpperLayer {
  override async around(): Promise<Overlay> {
    return { puts: new Map(), gone: new Map(), removals: [] };
  }
}

test("staging that does not look once a file is stored lets a file and a directory be at one path, and ours does not", async () => {
  const bothDone = async (Upper: typeof UpperLayer): Promise<number> => {
    let both = 0;
    const make = async () => {
      const [below, kept] = [new MemoryBackend(), new MemoryBackend()];
      await below.write("/from/a", "1");
      const doing = (change: (backend: VolumeBackend) => Promise<Answer>) => {
        const client = new StoppingClient();
        const layers = { upper: new Upper(client.through(kept)), base: new BaseLayer(below) };
        return { client, change: () => change(new VolumeBackend(stagingVolume(layers))) };
      };
      return {
        first: doing((backend) => backend.move("/from", "/to")),
        second: doing((backend) => backend.write("/to", "new")),
        witness: below,
      };
    };
    await everyOrder(false, make, async (answers) => {
      if (answers.every(({ error }) => error === undefined)) both++;
    });
    return both;
  };
  expect(await bothDone(UpperLayer)).toBe(0);
  expect(await bothDone(BlindUpper)).toBeGreaterThan(0);
});
