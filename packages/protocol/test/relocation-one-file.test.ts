import { type BackendProtocolV2, CompositeBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

const ONE_FILE = {
  error: "'/a/f' and '/b/f' are one file in one storage: there is nothing to move.",
  code: "conflict",
};

async function movedOver(
  files: MemoryBackend,
  source: BackendProtocolV2,
  target: BackendProtocolV2,
): Promise<unknown> {
  await files.write("/f", "the only copy");
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
  return all.move("/a/f", "/b/f", { overwrite: true });
}

describe("one file in one storage, moved from one mount of it to another", () => {
  test.each([
    ["neither has versions", [], []],
    ["the source claims versions, and answers none", ["versions", "conditionalUploads"], []],
  ] as const)("is restored where %s", async (_, atSource, atTarget) => {
    const files = new MemoryBackend();
    const source = foreignBackend(files, { features: atSource });
    const target = foreignBackend(files, { features: atTarget });
    expect(await movedOver(files, source, target)).toEqual(ONE_FILE);
    expect((await files.read("/f")).content).toBe("the only copy");
  });

  test("is restored where only the source has no versions", async () => {
    const files = new MemoryBackend();
    const source = foreignBackend(files, { features: ["versions", "conditionalUploads"] });
    expect(await movedOver(files, source, files)).toEqual(ONE_FILE);
    expect((await files.read("/f")).content).toBe("the only copy");
  });

  test("is not put over what another call has written there meanwhile", async () => {
    const files = new MemoryBackend();
    const plain = foreignBackend(files);
    const downloadFiles: BackendProtocolV2["downloadFiles"] = async (paths) => {
      const answers = (await plain.downloadFiles?.(paths)) ?? [];
      if (answers.some(({ error }) => error === "file_not_found"))
        await files.write("/f", "theirs");
      return answers;
    };
    const alias = foreignBackend(files, { downloadFiles });
    expect(await movedOver(files, alias, alias)).toEqual(ONE_FILE);
    expect((await files.read("/f")).content).toBe("theirs");
  });
});

test("a copy that cannot be looked at once its source is gone has moved", async () => {
  const [files, stored] = [new MemoryBackend(), new MemoryBackend()];
  let looks = 0;
  const target = foreignBackend(stored, {
    downloadFiles: async (paths) =>
      ++looks === 1
        ? stored.downloadFiles([...paths])
        : paths.map((path) => ({ path, content: null, error: "permission_denied" })),
  });
  expect(await movedOver(files, files, target)).toEqual({ path: "/b/f", files: 1 });
  expect(looks).toBe(2);
  expect((await stored.read("/f")).content).toBe("the only copy");
  expect((await files.read("/f")).code).toBe("not_found");
});

test.each([
  { moved: "/f", again: 1, code: "conflict", what: "is stored again" },
  {
    moved: "/d",
    again: 0,
    code: "unavailable",
    what: "is said to be gone where it is one of a directory, of which no content is kept",
  },
  {
    moved: "/f",
    again: 1,
    refuses: true,
    code: "unavailable",
    what: "is said to be gone where it cannot be stored again",
  },
])("a copy that went with its source $what", async ({ moved, again, code, refuses = false }) => {
  const [files, stored] = [new MemoryBackend(), new MemoryBackend()];
  const path = moved === "/d" ? "/d/f" : moved;
  await files.write(path, "one");
  const features = ["versions", "conditionalUploads"] as const;
  const source = foreignBackend(files, {
    semantics: 1,
    features,
    delete: async (removed) => {
      await stored.delete(path);
      return files.delete(removed);
    },
  });
  const uploads: unknown[] = [];
  const target = foreignBackend(stored, {
    semantics: 1,
    features,
    stat: async (looked) => stored.stat(looked),
    uploadFiles: async (given) => {
      uploads.push(...given.map(([, bytes]) => bytes));
      if (refuses && uploads.length > 1)
        return given.map(([at]) => ({ path: at, error: "permission_denied" as const }));
      return stored.uploadFiles([...given]);
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
  const answer = await all.move(`/a${moved}`, `/b${moved}`);
  expect(answer.code).toBe(code);
  if (code === "unavailable") expect(answer.error).toContain("Look at both paths.");
  const one = new TextEncoder().encode("one");
  expect(uploads).toEqual([one, ...Array<Uint8Array>(again).fill(one)]);
});
