import { CompositeBackend, type Filesystem, MemoryVolume, withPolicy } from "@fs/protocol";
import { type PutCondition, VolumeBackend } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";

const FILES = 600;

/** A volume that calls back before it stores a file. */
class CountingVolume extends MemoryVolume {
  beforePut: (() => void) | undefined;

  override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
    this.beforePut?.();
    return super.put(path, bytes, condition);
  }
}

const names = Array.from({ length: FILES }, (_, n) => String(n).padStart(3, "0"));

async function filled(): Promise<{ volume: CountingVolume; files: VolumeBackend }> {
  const volume = new CountingVolume();
  const files = new VolumeBackend(volume);
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await files.uploadFiles([
    ...names.map((name): [string, Uint8Array] => [`/a/d/${name}`, bytes(`new ${name}`)]),
    ...names.map((name): [string, Uint8Array] => [`/b/d/${name}`, bytes(`old ${name}`)]),
  ]);
  return { volume, files };
}

async function contents(files: VolumeBackend, directory: string): Promise<unknown[]> {
  const answers = await files.downloadFiles(names.map((name) => `${directory}/${name}`));
  return answers.map(({ content }) => content && new TextDecoder().decode(content));
}

describe.each<readonly [string, (files: VolumeBackend) => Filesystem, prefix: string]>([
  ["a volume", (files) => files, ""],
  ["a wrapper", (files) => withPolicy(files, {}), ""],
  [
    "two mounts",
    (files) => new CompositeBackend(files, { "/mount/": withPolicy(files, {}) }),
    "/mount",
  ],
])("in %s, a call that is aborted while it replaces files", (_, over, prefix) => {
  test.each(["move", "copy"] as const)("puts back what it had replaced (%s)", async (kind) => {
    const { volume, files } = await filled();
    const stop = new AbortController();
    // Each file is first tried as a new one.
    let left = 2 * 450;
    volume.beforePut = () => void (--left === 0 && stop.abort());
    const options = { overwrite: true, signal: stop.signal };
    const answer = await over(files)[kind]?.("/a/d", `${prefix}/b/d`, options);
    expect(left).toBeLessThanOrEqual(0);
    expect(answer?.code).toBe("aborted");
    expect(await contents(files, "/a/d")).toEqual(names.map((name) => `new ${name}`));
    expect(await contents(files, "/b/d")).toEqual(names.map((name) => `old ${name}`));
  });

  test("removes no source once every file has arrived", async () => {
    const { volume, files } = await filled();
    const stop = new AbortController();
    let left = 2 * FILES;
    volume.beforePut = () => void (--left === 0 && stop.abort());
    const options = { overwrite: true, signal: stop.signal };
    const answer = await over(files).move?.("/a/d", `${prefix}/b/d`, options);
    expect(left).toBeLessThanOrEqual(0);
    expect(answer?.code).toBe("aborted");
    expect(await contents(files, "/a/d")).toEqual(names.map((name) => `new ${name}`));
    expect(await contents(files, "/b/d")).toEqual(names.map((name) => `old ${name}`));
  });
});
