import { setImmediate as turn } from "node:timers/promises";
import type { Filesystem } from "@fs/protocol";
import {
  childEntries,
  isWithin,
  listingOf,
  type Volume,
  VolumeBackend,
  type VolumeEntry,
  VolumeError,
  type VolumeFile,
} from "@fs/protocol/author";
import { describe, expect, test } from "vitest";

const encoder = new TextEncoder();
const NOW = new Date().toISOString();

/** A storage without directories, where a file may stand below another one: only the backend's looks prevent that. */
function flatVolume(): Volume {
  const files = new Map<string, VolumeFile>();
  let changes = 0;
  const below = (directory: string): VolumeEntry[] =>
    [...files]
      .filter(([path]) => path !== directory && isWithin(path, directory))
      .map(([path, { bytes, version }]) => ({ path, kind: "file", size: bytes.length, version }));
  return {
    get: async (path) => {
      await turn();
      return files.get(path);
    },
    put: async (path, bytes, { ifAbsent, ifVersion }) => {
      await turn();
      const old = files.get(path);
      if (ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
      if (ifVersion !== undefined && ifVersion !== old?.version) throw new VolumeError("conflict");
      const version = String(++changes);
      files.set(path, { bytes, version, modifiedAt: NOW });
      return { version };
    },
    remove: async (path) => {
      await turn();
      return files.delete(path);
    },
    list: (directory, { deep }) =>
      listingOf(async function* () {
        await turn();
        const found = below(directory);
        yield deep ? found : childEntries(directory, found);
      }),
  };
}

type Change = (backend: Filesystem) => Promise<{ error?: string | null; code?: string }>;

async function upload(backend: Filesystem, ...paths: string[]): ReturnType<Change> {
  const files = paths.map((path): [string, Uint8Array] => [path, encoder.encode("new")]);
  const answers = (await backend.uploadFiles?.(files)) ?? [];
  return answers.find(({ error }) => error !== null) ?? {};
}

/** What makes `/d` a file, and what makes it a directory. */
const AS_FILE: Readonly<Record<string, Change>> = {
  write: (backend) => backend.write("/d", "new"),
  uploadFiles: (backend) => upload(backend, "/d", "/other"),
  move: async (backend) => (await backend.move?.("/one", "/d")) ?? {},
  copy: async (backend) => (await backend.copy?.("/one", "/d")) ?? {},
};

const AS_DIRECTORY: Readonly<Record<string, Change>> = {
  write: (backend) => backend.write("/d/deep/file", "new"),
  uploadFiles: (backend) => upload(backend, "/d/deep/file", "/d/more"),
  "move of a file": async (backend) => (await backend.move?.("/two", "/d/file")) ?? {},
  "move of a directory": async (backend) => (await backend.move?.("/tree", "/d")) ?? {},
  "copy of a directory": async (backend) => (await backend.copy?.("/tree", "/d")) ?? {},
};

/** Begins the second change after so many turns of the first; returns whether the first was still under way. */
async function meet(
  backend: Filesystem,
  turns: number,
  first: Change,
  second: Change,
): Promise<{ met: boolean; answers: Awaited<ReturnType<Change>>[] }> {
  let met = true;
  const going = first(backend).finally(() => (met = false));
  for (let n = 0; n < turns; n++) await turn();
  const meeting = met;
  const answers = await Promise.all([going, second(backend)]);
  return { met: meeting, answers };
}

const PAIRS = Object.entries(AS_FILE).flatMap(([fileName, file]) =>
  Object.entries(AS_DIRECTORY).flatMap(([directoryName, directory]) => [
    { name: `${fileName} of a file, then ${directoryName}`, first: file, second: directory },
    { name: `${directoryName}, then ${fileName} of a file`, first: directory, second: file },
  ]),
);

describe("a file and a directory that one client makes at one path at once (W2)", () => {
  test.each(PAIRS)("$name", async ({ first, second }) => {
    for (let turns = 0, met = true; met; turns++) {
      const backend = new VolumeBackend(flatVolume());
      await upload(backend, "/one", "/two", "/tree/a", "/tree/b/c");
      const meeting = await meet(backend, turns, first, second);
      met = meeting.met;
      const failed = meeting.answers.filter(({ error }) => (error ?? null) !== null);
      expect(failed.length, `after ${turns} turns`).toBe(1);
      expect(["is_directory", "not_directory", "already_exists"]).toContain(failed[0]?.code);
      const { files = [] } = await backend.glob("**/*", "/");
      const paths = files.map(({ path }) => path).filter((path) => isWithin(path, "/d"));
      const standing = paths.includes("/d") ? ["/d"] : paths;
      expect(paths, `after ${turns} turns`).toEqual(standing);
      expect(paths.length).toBeGreaterThan(0);
    }
  });
});

test("one that waits for another leaves at once when its signal fires, and nothing is stored", async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const inner = flatVolume();
  const backend = new VolumeBackend({
    ...inner,
    put: async (path, bytes, condition) => {
      if (path === "/d/file") await held;
      return inner.put(path, bytes, condition);
    },
  });
  const first = backend.write("/d/file", "x");
  await turn();
  const aborting = new AbortController();
  const second = backend.write("/d", "x", { signal: aborting.signal });
  const [beside] = [await backend.write("/e", "x")];
  expect(beside.error).toBeUndefined();
  aborting.abort();
  expect((await second).code).toBe("aborted");
  release();
  expect((await first).error).toBeUndefined();
  expect((await backend.read("/d/file")).content).toBe("x");
});
