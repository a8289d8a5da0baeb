import {
  type BackendProtocolV2,
  type FilesystemPermission,
  MemoryBackend,
  MemoryVolume,
  withAudit,
  withPermissions,
  withPolicy,
  withQuota,
} from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { describe, expect, it } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A storage into which another client puts a file as soon as a call has seen what is there. */
class BusyVolume extends MemoryVolume {
  arriving: string | undefined;

  override async *list(...args: Parameters<MemoryVolume["list"]>) {
    yield* super.list(...args);
    const path = this.arriving;
    this.arriving = undefined;
    if (path !== undefined) await super.put(path, bytes("late"), {});
  }
}

async function pathsIn(backend: BackendProtocolV2): Promise<string[] | undefined> {
  return (await backend.glob("**")).files?.map(({ path }) => path);
}

describe("a directory that is judged file by file", () => {
  const busy = async (): Promise<VolumeBackend> => {
    const volume = new BusyVolume();
    const inner = new VolumeBackend(volume);
    await inner.write("/A/a.txt", "a");
    await inner.write("/A/b.txt", "b");
    volume.arriving = "/A/x.sh";
    return inner;
  };
  const judged: Readonly<Record<string, (inner: BackendProtocolV2) => BackendProtocolV2>> = {
    rules: (inner) =>
      withPermissions(inner, [
        { operations: ["write", "delete"], paths: ["/**/*.sh"], mode: "deny" },
      ]),
    hooks: (inner) =>
      withPolicy(inner, {
        beforeWrite: ({ path }) => (path.endsWith(".sh") ? "No scripts." : undefined),
        beforeDelete: ({ path }) => (path.endsWith(".sh") ? "No scripts." : undefined),
      }),
  };

  for (const [by, guarded] of Object.entries(judged)) {
    it(`moves exactly the files that ${by} judged`, async () => {
      const inner = await busy();
      await guarded(inner).move?.("/A", "/prot");
      expect(await pathsIn(inner)).toEqual(["/A/x.sh", "/prot/a.txt", "/prot/b.txt"]);
    });

    it(`copies exactly the files that ${by} judged`, async () => {
      const inner = await busy();
      await guarded(inner).copy?.("/A", "/prot");
      const copies = (await pathsIn(inner))?.filter((path) => path.startsWith("/prot/"));
      expect(copies).toEqual(["/prot/a.txt", "/prot/b.txt"]);
    });

    it(`removes exactly the files that ${by} judged`, async () => {
      const inner = await busy();
      await guarded(inner).delete?.("/A");
      expect(await pathsIn(inner)).toEqual(["/A/x.sh"]);
    });
  }
});

describe("a rule", () => {
  it("about a directory is about all that lies in it, however it is written", async () => {
    for (const path of ["/x", "/x/**"]) {
      const inner = new MemoryBackend();
      await inner.write("/x/a", "a");
      const rules: FilesystemPermission[] = [{ operations: ["read"], paths: [path], mode: "deny" }];
      const guarded = withPermissions(inner, rules);
      expect([path, (await guarded.read("/x/a")).code]).toEqual([path, "permission_denied"]);
    }
  });

  it("that denies, before one that allows everything, shows nothing below it", async () => {
    const rules: FilesystemPermission[] = [
      { operations: ["read", "write", "delete"], paths: ["/secret/**"], mode: "deny" },
      { operations: ["read", "write", "delete"], paths: ["/**"] },
    ];
    const full = new MemoryBackend();
    await full.write("/secret/key", "x");
    await full.write("/secret/d/deep", "x");
    for (const path of ["/secret", "/secret/", "/secret/key", "/secret/d", "/secret/none"])
      for (const call of [
        (backend: BackendProtocolV2) => backend.ls(path),
        (backend: BackendProtocolV2) => backend.glob("**", path),
        (backend: BackendProtocolV2) => backend.grep("x", path),
        (backend: BackendProtocolV2) => backend.stat?.(path),
      ])
        expect(await call(withPermissions(full, rules))).toEqual(
          await call(withPermissions(new MemoryBackend(), rules)),
        );
  });
});

describe("the hooks of a policy", () => {
  it("get canonical paths, so that no spelling passes them", async () => {
    const inner = new MemoryBackend();
    await inner.write("/secret/key", "x");
    const seen = new Set<string>();
    const guarded = withPolicy(inner, {
      beforeRead: ({ path }) => {
        seen.add(path);
        return path.startsWith("/secret") ? "Secret." : undefined;
      },
    });
    for (const path of ["/secret/key", "//secret/key", "/./secret//key", "/secret/./key"])
      expect([path, (await guarded.read(path)).code]).toEqual([path, "permission_denied"]);
    expect([...seen]).toEqual(["/secret/key"]);
  });

  it("get every file that a removal, a copy, a move or a search touches", async () => {
    const inner = new MemoryBackend();
    const seen: string[] = [];
    const guarded = withPolicy(inner, {
      beforeRead: ({ path }) => {
        seen.push(`read ${path}`);
        return path.endsWith("hidden") ? "Hidden." : undefined;
      },
      beforeWrite: ({ path }) => void seen.push(`write ${path}`),
      beforeDelete: ({ path }) => void seen.push(`delete ${path}`),
    });
    const during = async (call: () => unknown): Promise<string[]> => {
      seen.length = 0;
      await call();
      return seen.filter((one) => /\/[ab]$/.test(one)).toSorted();
    };
    await inner.uploadFiles(["/d/a", "/d/b"].map((path) => [path, bytes("hit")]));
    expect(await during(() => guarded.copy?.("/d", "/e"))).toEqual([
      "read /d/a",
      "read /d/b",
      "write /e/a",
      "write /e/b",
    ]);
    expect(await during(() => guarded.move?.("/e", "/f"))).toEqual([
      "delete /e/a",
      "delete /e/b",
      "read /e/a",
      "read /e/b",
      "write /f/a",
      "write /f/b",
    ]);
    expect(await during(() => guarded.delete?.("/f"))).toEqual(["delete /f/a", "delete /f/b"]);
    await inner.write("/d/hidden", "hit");
    expect(await during(() => guarded.grep("hit"))).toEqual(["read /d/a", "read /d/b"]);
    expect((await guarded.grep("hit")).matches?.map(({ path }) => path)).toEqual(["/d/a", "/d/b"]);
    expect((await guarded.glob("**")).files?.map(({ path }) => path)).toEqual(["/d/a", "/d/b"]);
  });

  it("and listeners that throw make no call reject", async () => {
    const fails = (): never => {
      throw new Error("a listener that fails");
    };
    const inner = new MemoryBackend();
    await inner.write("/a", "x");
    const guarded = withAudit(
      withPolicy(inner, { afterRead: fails, afterWrite: fails, onError: fails }),
      ({ phase }) => (phase === "end" ? fails() : undefined),
      { onError: fails },
    );
    expect(await guarded.read("/a")).toMatchObject({ content: "x" });
    expect(await guarded.write("/b", "y")).toMatchObject({ path: "/b" });
    expect(await guarded.delete?.("/b")).toMatchObject({ path: "/b" });
  });
});

describe("a quota", () => {
  it("counts the bytes that there are, whatever their length is said to be", async () => {
    const inner = new MemoryBackend();
    const guarded = withQuota(inner, { bytes: 10 });
    const modest = Object.defineProperty(bytes("much more than ten"), "length", { value: 1 });
    expect(await guarded.uploadFiles?.([["/a", modest]])).toMatchObject([
      { code: "quota_exceeded" },
    ]);
    expect(await pathsIn(inner)).toEqual([]);
  });
});
