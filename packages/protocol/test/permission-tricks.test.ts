import {
  type BackendProtocolV2,
  CompositeBackend,
  type GrepResult,
  MemoryBackend,
  withPermissions,
} from "@fs/protocol";
import { describe, expect, it } from "vitest";
import { RULES, filled } from "./secret-rules.js";

const SECRET = "TOPSECRET";

const TRICKS = [
  "/secrets",
  "/secrets/",
  "//secrets/.",
  "/secrets/key.txt",
  "//secrets/key.txt",
  "/./secrets/key.txt",
  "/secrets//key.txt",
  "/secrets/./key.txt",
  "/secrets/key.txt/",
  "/secrets/key.txt/.",
  "/open/../secrets/key.txt",
  "/secrets/../secrets/key.txt",
  "secrets/key.txt",
  "~/secrets/key.txt",
  "/secrets/key.txt\u0000",
  "\\secrets\\key.txt",
];

type Operation = (backend: BackendProtocolV2, path: string) => unknown;
const OPERATIONS: Record<string, Operation> = {
  ls: (backend, path) => backend.ls(path),
  read: (backend, path) => backend.read(path),
  readRaw: (backend, path) => backend.readRaw(path),
  write: (backend, path) => backend.write(path, "mine"),
  edit: (backend, path) => backend.edit(path, SECRET, "mine"),
  multiEdit: (backend, path) => backend.multiEdit?.(path, [{ old: SECRET, new: "mine" }]),
  glob: (backend, path) => backend.glob("**", path),
  grep: (backend, path) => backend.grep("T", path),
  delete: (backend, path) => backend.delete?.(path),
  moveAway: (backend, path) => backend.move?.(path, "/open/stolen.txt"),
  moveOnto: (backend, path) => backend.move?.("/open/a.txt", path, { overwrite: true }),
  copyAway: (backend, path) => backend.copy?.(path, "/open/stolen.txt"),
  copyOnto: (backend, path) => backend.copy?.("/open/a.txt", path, { overwrite: true }),
  upload: (backend, path) => backend.uploadFiles?.([[path, new Uint8Array([1])]]),
  download: (backend, path) => backend.downloadFiles?.([path]),
};

/** The same files guarded directly, beneath a composite, and above one whose route holds the secrets. */
const MOUNTS: Record<
  string,
  (files: Record<string, string>) => Promise<[BackendProtocolV2, BackendProtocolV2]>
> = {
  alone: async (files) => {
    const inner = await filled(files);
    return [withPermissions(inner, RULES), inner];
  },
  "as the default of a composite": async (files) => {
    const inner = await filled(files);
    return [
      new CompositeBackend(withPermissions(inner, RULES), { "/other/": new MemoryBackend() }),
      inner,
    ];
  },
  "around a composite": async (files) => {
    const inner = new CompositeBackend(new MemoryBackend(), { "/secrets/": new MemoryBackend() });
    for (const [path, content] of Object.entries(files)) await inner.write(path, content);
    return [withPermissions(inner, RULES), inner];
  },
};

describe("permissions against every spelling and every method", () => {
  for (const [mount, build] of Object.entries(MOUNTS)) {
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      it(`${name}, ${mount}: shows nothing and changes nothing`, async () => {
        for (const path of TRICKS) {
          const [guarded, inner] = await build({ "/open/a.txt": "a", "/secrets/key.txt": SECRET });
          const [empty] = await build({ "/open/a.txt": "a" });
          const there = await operation(guarded, path);
          expect(JSON.stringify(there)).not.toContain(SECRET);
          // The answer does not show whether the file exists.
          expect(there).toEqual(await operation(empty, path));
          expect((await inner.read("/secrets/key.txt")).content).toBe(SECRET);
          expect((await inner.read("/open/stolen.txt")).code).toBe("not_found");
        }
      });
    }
  }

  it("hides denied paths from listings, searches and counts", async () => {
    const files = {
      "/open/a.txt": "hit\n",
      "/secrets/b.txt": "hit\n",
      "/secrets/deep/c.txt": "hit\n",
    };
    const guarded = withPermissions(await filled(files), RULES);
    const plain = withPermissions(await filled({ "/open/a.txt": "hit\n" }), RULES);
    for (const ask of [
      (backend: BackendProtocolV2) => backend.ls("/"),
      (backend: BackendProtocolV2) => backend.glob("**/*"),
      (backend: BackendProtocolV2) => backend.grep("hit"),
      (backend: BackendProtocolV2) => backend.grep("hit", "/", null, 1),
      (backend: BackendProtocolV2) => backend.grep("hit", "/", null, 2),
    ]) {
      const answer = await ask(guarded);
      expect(withoutTimes(answer)).toEqual(withoutTimes(await ask(plain)));
    }
  });

  it("fills the cap of grep with permitted matches", async () => {
    const files: Record<string, string> = { "/zebra.txt": "hit\nhit\nhit\n" };
    for (let n = 0; n < 30; n++) files[`/secrets/${n}.txt`] = "hit\n".repeat(100);
    const guarded = withPermissions(await filled(files), RULES);
    const two = await guarded.grep("hit", "/", null, 2);
    expect(two.matches?.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "/zebra.txt:1",
      "/zebra.txt:2",
    ]);
    expect(two.truncated).toBe(true);
    const three: GrepResult = await guarded.grep("hit", "/", null, 3);
    expect(three.matches).toHaveLength(3);
    expect(three.truncated).toBeUndefined();
  });
});

function withoutTimes(value: unknown): string {
  return JSON.stringify(value).replace(/"modified_at":"[^"]*"/g, "");
}
