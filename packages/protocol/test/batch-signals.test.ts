import { CompositeBackend, MemoryBackend, MemoryVolume, withQuota } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { describe, expect, it } from "vitest";

const never = (): Promise<never> => new Promise(() => undefined);
const bytes = new Uint8Array([1]);
const soon = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(20) });

/** A storage that never answers for one path. */
class Stuck extends MemoryVolume {
  override get(...args: Parameters<MemoryVolume["get"]>): ReturnType<MemoryVolume["get"]> {
    return args[0] === "/stuck" ? never() : super.get(...args);
  }
  override put(...args: Parameters<MemoryVolume["put"]>): ReturnType<MemoryVolume["put"]> {
    return args[0] === "/stuck" ? never() : super.put(...args);
  }
}

describe("a batch ends with its signal", () => {
  const aborted = { path: "/stuck", code: "aborted" };

  it("over a volume", async () => {
    const files = new VolumeBackend(new Stuck());
    expect(await files.downloadFiles(["/stuck"], soon())).toMatchObject([aborted]);
    expect(await files.uploadFiles([["/stuck", bytes]], soon())).toMatchObject([aborted]);
  });

  it("over mounts, one of which knows no signals", async () => {
    const stuck = new MemoryBackend();
    stuck.downloadFiles = never;
    stuck.uploadFiles = never;
    const files = new CompositeBackend(new MemoryBackend(), { "/m/": stuck });
    const there = { ...aborted, path: "/m/stuck" };
    expect(await files.downloadFiles(["/m/stuck"], soon())).toMatchObject([there]);
    expect(await files.uploadFiles([["/m/stuck", bytes]], soon())).toMatchObject([there]);
  });

  it("and is not begun once it has fired", async () => {
    const stored: string[] = [];
    const foreign = new MemoryBackend();
    foreign.uploadFiles = async (files) => {
      stored.push(...files.map(([path]) => path));
      return files.map(([path]) => ({ path, error: null }));
    };
    const files = new CompositeBackend(new MemoryBackend(), { "/m/": foreign });
    const signal = AbortSignal.abort();
    expect(await files.uploadFiles([["/m/a", bytes]], { signal })).toMatchObject([
      { path: "/m/a", code: "aborted" },
    ]);
    expect(await files.uploadFiles([["/m/a", bytes]], { ifAbsent: true } as never)).toMatchObject([
      { path: "/m/a", code: "invalid_argument" },
    ]);
    expect(stored).toEqual([]);
  });
});

it("a call that waits for its turn under a quota ends with its signal", async () => {
  const files = withQuota(new VolumeBackend(new Stuck()), { files: 9 });
  void files.write("/stuck", "");
  expect(await files.write("/other", "", soon())).toMatchObject({ code: "aborted" });
});

it.each([undefined, null, 5, Object.create(null) as object])(
  "a batch with %o in it rejects under no wrapper",
  async (odd) => {
    const plain = new MemoryBackend();
    for (const files of [plain, withQuota(plain, { files: 9 })]) {
      const [up] = await files.uploadFiles([odd as never]);
      const [path] = await files.uploadFiles([[odd, bytes] as never]);
      const [down] = await files.downloadFiles([odd as never]);
      for (const answer of [up, path, down]) expect(answer?.code).toBe("invalid_path");
    }
  },
);

it("options that throw when they are read are refused under every wrapper", async () => {
  const options = {
    get signal(): AbortSignal {
      throw new Error("a getter that throws");
    },
  };
  const plain = new MemoryBackend();
  for (const files of [plain, withQuota(plain, { files: 9 }), new CompositeBackend(plain, {})])
    expect(await files.uploadFiles([["/a", bytes]], options)).toMatchObject([
      { path: "/a", error: "permission_denied" },
    ]);
  expect((await plain.ls("/")).files).toEqual([]);
});
