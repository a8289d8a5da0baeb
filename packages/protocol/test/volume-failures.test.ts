import { describe, expect, test, vi } from "vitest";
import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import { VolumeBackend, VolumeError, type Volume } from "@fs/protocol/author";

describe("whatever a volume throws becomes a result", () => {
  const failing = (thrown: unknown): VolumeBackend => {
    const volume: Volume = new MemoryVolume();
    volume.get = () => Promise.reject(thrown);
    return new VolumeBackend(volume);
  };

  test.each([
    [Object.assign(new Error("open '/srv/secret'"), { code: "ENOENT" }), "not_found"],
    [Object.assign(new Error("/srv/secret"), { code: "EACCES" }), "permission_denied"],
    [Object.assign(new Error("x"), { code: "ENOSPC" }), "quota_exceeded"],
    [
      Object.assign(new Error("connect postgres://u:secret@h"), { code: "ECONNREFUSED" }),
      "unavailable",
    ],
    [new TypeError("secret"), "unavailable"],
    ["secret", "unavailable"],
    [undefined, "unavailable"],
    [new VolumeError("timeout"), "timeout"],
    [new DOMException("secret", "AbortError"), "aborted"],
  ])("%s is %s", async (thrown, code) => {
    const result = await failing(thrown).read("/x");
    expect(result).toEqual({ error: expect.any(String), code });
    expect(result.error).not.toContain("secret");
  });

  test("a batch hook that fails, fails for each file", async () => {
    const volume: Volume = new MemoryVolume();
    volume.putMany = () => Promise.reject(new Error("secret"));
    volume.getMany = () => Promise.reject(new Error("secret"));
    const files = new VolumeBackend(volume);
    const bytes = new Uint8Array(1);
    const stored = await files.uploadFiles([
      ["/a", bytes],
      ["bad", bytes],
      ["/b", bytes],
    ]);
    expect(stored.map(({ code }) => code)).toEqual(["unavailable", "invalid_path", "unavailable"]);
    const fetched = await files.downloadFiles(["/a", "/b"]);
    expect(fetched.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
  });

  test("the operator is given the cause", async () => {
    const heard: unknown[] = [];
    const volume: Volume = new MemoryVolume();
    const cause = new Error("connection refused");
    volume.get = () => Promise.reject(new VolumeError("unavailable", undefined, { cause }));
    const files = new VolumeBackend(volume, {
      onError: (error, call) => heard.push([error, call]),
    });
    await files.read("/x");
    await files.downloadFiles(["/x", "/y"]);
    expect(heard).toHaveLength(3);
    expect(heard[0]).toEqual([
      expect.objectContaining({ cause }),
      { operation: "read", path: "/x" },
    ]);
  });
});

test("a listener that throws is a warning, not an exception", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const volume: Volume = new MemoryVolume();
  volume.get = () => Promise.reject(new Error("down"));
  const files = new VolumeBackend(volume, {
    onError: () => {
      throw new Error("the listener is broken");
    },
  });
  expect(await files.read("/x")).toMatchObject({ code: "unavailable" });
  expect(await files.downloadFiles(["/x"])).toMatchObject([{ code: "unavailable" }]);
  expect(warn).toHaveBeenCalledTimes(2);
  warn.mockRestore();
});

test("an edit hook is given the limit, and the generic path words the refusal", async () => {
  const volume: Volume = new MemoryVolume();
  const limits: number[] = [];
  volume.edit = async (_path, _edits, { maxBytes }) => {
    limits.push(maxBytes);
    return undefined;
  };
  const files = new VolumeBackend(volume, { maxFileBytes: 3 });
  await files.write("/x", "abc");
  expect(await files.edit("/x", "a", "aa")).toMatchObject({ code: "too_large" });
  expect(limits).toEqual([3]);
});

test("a limit is too_large, and stores nothing", async () => {
  const files = new MemoryBackend({ maxFileBytes: 4 });
  expect(await files.write("/x", "ééé")).toMatchObject({ code: "too_large" });
  expect(await files.write("/x", "éé")).toMatchObject({ path: "/x" });
  expect(await files.edit("/x", "é", "éé", true)).toMatchObject({ code: "too_large" });
  expect(await files.uploadFiles([["/y", new Uint8Array(5)]])).toMatchObject([
    { error: "invalid_path", code: "too_large" },
  ]);
});

test("bad input of every kind is a coded result", async () => {
  const files = new MemoryBackend();
  await files.write("/x", "1");
  const bad: unknown = Symbol("bad");
  // Agents and untyped callers pass anything: the types are no protection.
  const call = (method: string, ...args: unknown[]): unknown =>
    Reflect.apply(Reflect.get(files, method), files, args);
  for (const value of [undefined, null, 7, {}, [], bad, Number.NaN]) {
    for (const [method, ...args] of [
      ["read", value],
      ["read", "/x", value === undefined ? -1 : value],
      ["readRaw", value],
      ["write", value, "x"],
      ["write", "/new", value],
      ["edit", value, "a", "b"],
      ["edit", "/x", value, "b"],
      ["multiEdit", "/x", value],
      ["delete", value],
      ["move", value, "/y"],
      ["copy", "/x", value],
      ["glob", value],
      ["grep", value],
    ] as const) {
      expect
        .soft(await call(method, ...args), `${method}(${String(args[0])})`)
        .toMatchObject({ error: expect.any(String), code: expect.any(String) });
    }
  }
  expect(await files.ls("/")).toMatchObject({ files: [{ path: "/x" }] });
});
