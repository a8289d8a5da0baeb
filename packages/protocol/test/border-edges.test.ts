import {
  adaptBackendProtocol,
  type BackendProtocolV2,
  CompositeBackend,
  type Filesystem,
  MemoryBackend,
} from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

/** A backend of another package that stores what it is given, and notes it. */
function storing(stored: string[]): BackendProtocolV2 {
  const files = new MemoryBackend();
  return {
    ls: async (path) => files.ls(path),
    read: async (path) => files.read(path),
    readRaw: async (path) => files.readRaw(path),
    write: async (path, content) => files.write(path, content),
    edit: async (path, old, replacement) => files.edit(path, old, replacement),
    grep: async (pattern) => files.grep(pattern),
    glob: async (pattern) => files.glob(pattern),
    uploadFiles: async (given) => {
      stored.push(...given.map(([path]) => path));
      return given.map(([path]) =>
        path === "/bad" ? { path, error: "permission_denied" as const } : { path, error: null },
      );
    },
  };
}

describe("what another backend cannot honour", () => {
  test("is refused for each file of a batch, and the others keep their answers", async () => {
    const stored: string[] = [];
    const backend = adaptBackendProtocol(storing(stored));
    const bytes = new Uint8Array(1);
    const answers = await backend.uploadFiles?.([
      ["/1", bytes, { ifAbsent: true }],
      ["/2", bytes],
      ["/3", bytes, { ifVersion: "v" }],
      ["/4", bytes, { ifAbsent: true }],
      ["/bad", bytes],
      // What callers of JavaScript pass for no condition is none.
      ["/5", bytes, null as unknown as undefined],
    ] as Parameters<NonNullable<typeof backend.uploadFiles>>[0]);
    expect(answers?.map(({ path, error, code }) => [path, code ?? error])).toEqual([
      ["/1", "unsupported"],
      ["/2", null],
      ["/3", "unsupported"],
      ["/4", "unsupported"],
      ["/bad", "permission_denied"],
      ["/5", null],
    ]);
    expect(stored).toEqual(["/2", "/bad", "/5"]);
  });

  test("is refused as an option, unless it asks for nothing", async () => {
    const backend = adaptBackendProtocol(storing([]));
    await backend.write("/f", "x\n");
    const nothing = { before: 0, after: 0, regex: false, ignoreCase: false };
    expect((await backend.grep("x", "/", null, null, nothing)).matches).toHaveLength(1);
    for (const option of [{ before: 1 }, { after: 1 }, { regex: true }, { ignoreCase: true }])
      expect((await backend.grep("x", "/", null, null, option)).code).toBe("unsupported");
    expect((await backend.write("/g", "x", { ifVersion: "v" })).code).toBe("unsupported");
    expect((await backend.ls("/")).files).toHaveLength(1);
  });
});

describe("the features that a backend of another package names", () => {
  const files = new MemoryBackend();
  const naming: BackendProtocolV2 & Pick<Filesystem, "featuresAt"> = {
    ...foreignBackend(new MemoryBackend()),
    features: ["pages", "versions", "conditionalUploads"],
    featuresAt: () => ["versions", "pages"],
  };
  test("are those that are honoured here", () => {
    const { features, featuresAt } = adaptBackendProtocol(naming);
    expect(features).toEqual(["pages"]);
    expect(featuresAt?.("/a")).toEqual(["pages"]);
    expect(adaptBackendProtocol(storing([])).features).toBeUndefined();
  });

  test("do not have a move ask for a condition that would be refused", async () => {
    await files.write("/a", "moved");
    const composite = new CompositeBackend(files, { "/other/": naming });
    expect((await composite.move("/a", "/other/a")).error).toBeUndefined();
    expect((await composite.read("/other/a")).content).toBe("moved");
  });
});

test.each(["«%»", "“%”", "[%]", "<%>", "'%'", "„%“", "%."])(
  "a path that a sentence quotes as %s is named in full behind a route",
  async (quoted) => {
    const error = (path: string): string => `Nothing has the name ${quoted.replace("%", path)}`;
    const routed = { ...storing([]), read: async (path: string) => ({ error: error(path) }) };
    const composite = new CompositeBackend(new MemoryBackend(), { "/r/": routed });
    expect((await composite.read("/r/no.txt")).error).toBe(error("/r/no.txt"));
  },
);
