import { inputSchemaOf, noKnownFiles, TOOLS } from "@fs/tools";
import { describe, expect, it } from "vitest";
import { seeded, session } from "./support.js";

describe("an argument in another spelling", () => {
  it.each(["dryRun", "DryRun", "dry-run", "DRY_RUN"])(
    "such as %s is the argument",
    async (name) => {
      const backend = await seeded({ "/a": "foo\n" });
      const { text } = session(backend);
      const edit = { filePath: "/a", oldString: "foo", newString: "bar", [name]: "true" };
      expect(await text("edit_file", edit)).toContain("-foo\n+bar");
      expect((await backend.read("/a")).content).toBe("foo\n");
    },
  );

  it("is the condition of a deletion and of an edit", async () => {
    const backend = await seeded({ "/a": "foo\n" });
    const { call } = session(backend, {}, noKnownFiles);
    expect((await call("delete", { path: "/a", ifVersion: "stale" })).code).toBe("conflict");
    const edits = [{ old: "foo", new: "bar" }];
    expect((await call("multi_edit", { path: "/a", edits, ifVersion: "stale" })).code).toBe(
      "conflict",
    );
    expect((await backend.read("/a")).content).toBe("foo\n");
  });

  it("gives way to the right one, unless that is null", async () => {
    const backend = await seeded({ "/a": "a\n", "/b": "b\n" });
    const { text } = session(backend);
    expect(await text("read_file", { filePath: "/b", file_path: "/a" })).toBe("1→a");
    expect(await text("read_file", { filePath: "/b", file_path: null })).toBe("1→b");
  });
});

describe("one of several edits", () => {
  it.each([
    { old_string: "foo", new: "bar" },
    { oldString: "foo", newString: "bar", replace_all: null },
    { old_str: "foo", new_str: "bar", replaceAll: "true" },
    '{"old_text":"foo","new_text":"bar","replace_all":"false"}',
  ])("may be written as %j", async (edit) => {
    const backend = await seeded({ "/a": "foo\nkeep\n" });
    const { call } = session(backend);
    await call("read_file", { file_path: "/a" });
    expect(await call("multi_edit", { file_path: "/a", edits: [edit] })).toMatchObject({
      structured: { occurrences: 1 },
    });
    expect((await backend.read("/a")).content).toBe("bar\nkeep\n");
  });

  it("has the schema that it had", () => {
    expect(inputSchemaOf(TOOLS.multi_edit).properties?.["edits"]).toMatchObject({
      type: "array",
      items: {
        type: "object",
        properties: { old_string: { type: "string" }, replace_all: { type: "boolean" } },
        required: ["old_string"],
      },
    });
  });
});

describe("a value under an unknown name", () => {
  it("is not taken for an empty text", async () => {
    const backend = await seeded({ "/a": "foo\n" });
    const { call, text } = session(backend);
    await call("read_file", { file_path: "/a" });
    const edit = { old_string: "foo", replacement: "bar" };
    expect(await text("edit_file", { file_path: "/a", ...edit })).toBe(
      "Error: 'new_string': It is missing, and there is no argument 'replacement'.",
    );
    expect(await text("multi_edit", { file_path: "/a", edits: [edit] })).toBe(
      "Error: 'edits.0.new_string': It is missing, and there is no argument 'replacement'.",
    );
    expect((await call("write_file", { file_path: "/b", body: "b" })).code).toBe(
      "invalid_argument",
    );
    expect((await backend.read("/a")).content).toBe("foo\n");
    expect((await backend.read("/b")).code).toBe("not_found");
  });

  it("is no matter where nothing is missing, or it is null", async () => {
    const backend = await seeded({ "/a": "foo\n" });
    const { call } = session(backend);
    const said = { file_path: "/b", content: "b", explanation: "why" };
    expect((await call("write_file", said)).failed).toBeUndefined();
    await call("read_file", { file_path: "/a" });
    const removal = { file_path: "/a", old_string: "foo", replacement: null };
    expect((await call("edit_file", removal)).failed).toBeUndefined();
    expect((await backend.read("/a")).content).toBe("\n");
  });
});
