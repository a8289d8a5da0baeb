import { adaptBackendProtocol, type AnyBackendProtocol, MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type Volume } from "@fs/protocol/author";
import { expect, test } from "vitest";

/** A backend whose storage makes every change, and then fails as a driver does. */
function losing(code: string): VolumeBackend {
  const inner = new MemoryVolume();
  const volume: Volume = {
    get: (path) => inner.get(path),
    list: (path, query) => inner.list(path, query),
    put: async (path, bytes, condition) => {
      await inner.put(path, bytes, condition);
      throw Object.assign(new Error("10.0.0.1:5432"), { code });
    },
    remove: (path, condition) => inner.remove(path, condition),
  };
  return new VolumeBackend(volume);
}

test.each(["ECONNRESET", "EPIPE", "ETIMEDOUT"])(
  "a change behind which %s stands says that it may have been stored",
  async (code) => {
    const backend = losing(code);
    const answer = await backend.write("/a.txt", "a");
    expect(answer.code).toBe(code === "ETIMEDOUT" ? "timeout" : "unavailable");
    expect(answer.error).toContain("may or may not have been stored");
    expect((await backend.read("/a.txt")).content).toBe("a");
  },
);

test("one that was not sent does not", async () => {
  const answer = await losing("ECONNREFUSED").write("/a.txt", "a");
  expect(answer.error).toBe("The storage behind '/a.txt' failed (ECONNREFUSED). Try again later.");
});

/** Answers every call of a backend of another package as a connection that is reset does. */
async function reset(): Promise<never> {
  throw Object.assign(new Error("10.0.0.1:5432"), { code: "ECONNRESET" });
}

const names = "read write edit delete uploadFiles downloadFiles";
const SECOND = [...names.split(" "), "ls", "readRaw", "grep", "glob"];
const FIRST = [...names.split(" "), "lsInfo", "readRaw", "grepRaw", "globInfo"];

test.each([
  ["the first version", FIRST],
  ["the second version", SECOND],
])("so does that of a backend of %s that throws", async (_, methods) => {
  const backend = Object.fromEntries(methods.map((name) => [name, reset]));
  const adapted = adaptBackendProtocol(backend as unknown as AnyBackendProtocol);
  const changes = [
    await adapted.write("/a.txt", "a"),
    await adapted.edit("/a.txt", "a", "b"),
    await adapted.delete?.("/a.txt"),
  ];
  for (const answer of changes) expect(answer?.error).toContain("may or may not have been stored");
  expect((await adapted.ls("/")).error).toContain("Try again later");
});
