import { noKnownFiles } from "@fs/tools";
import { describe, expect, it } from "vitest";
import { seeded, session } from "./support.js";

describe("copy_file and move_file", () => {
  it("keep what is at the destination unless they are to overwrite it", async () => {
    const backend = await seeded({ "/a": "a", "/b": "b" });
    const { call } = session(backend);
    expect((await call("copy_file", { source: "/a", destination: "/c" })).structured).toMatchObject(
      { path: "/c", source: "/a" },
    );
    expect((await call("copy_file", { source: "/a", destination: "/b" })).code).toBe(
      "already_exists",
    );
    expect((await backend.read("/b")).content).toBe("b");
    await call("move_file", { from: "/a", to: "/b", overwrite: true });
    expect((await backend.read("/b")).content).toBe("a");
    expect((await backend.read("/a")).code).toBe("not_found");
  });
});

describe("an edit", () => {
  const edit = { file_path: "/a", old_string: "one", new_string: "two" };

  it("tried only shows its diff and changes nothing", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call, text } = session(backend);
    expect(await text("edit_file", { ...edit, dry_run: true })).toContain("-one\n+two");
    expect((await call("edit_file", { ...edit, old_string: "no", dry_run: true })).code).toBe(
      "no_match",
    );
    const edits = [{ old_string: "o", new_string: "" }];
    expect(
      (await call("multi_edit", { file_path: "/a", edits, dry_run: true })).structured,
    ).toMatchObject({ occurrences: 1 });
    expect((await call("edit_file", { ...edit, file_path: "/no", dry_run: true })).code).toBe(
      "not_found",
    );
    expect((await call("edit_file", { ...edit, if_version: "stale", dry_run: true })).code).toBe(
      "conflict",
    );
    expect((await backend.read("/a")).content).toBe("one\n");
  });

  it("of more lines than can be compared has no diff, tried or done", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `row ${n} old value ${n * 7}\n`);
    const backend = await seeded({ "/a": lines.join("") });
    const { call, text } = session(backend);
    await call("read_file", { file_path: "/a" });
    const many = { file_path: "/a", old_string: "old", new_string: "new", replace_all: true };
    expect(await text("edit_file", { ...many, dry_run: true })).toBe(
      "Would replace 20000 in /a; it is too long for a diff.",
    );
    const done = await call("edit_file", many);
    expect(done.content).toEqual([{ type: "text", text: "Edited /a (20000 replaced)" }]);
    expect(done.structured).not.toHaveProperty("diff");
    const one = await call("edit_file", { ...many, old_string: "row 7 new", new_string: "7" });
    expect(one.structured?.["diff"]).toContain("-row 7 new value 49\n+7 value 49\n");
  });

  it("needs a file that was seen, or its version", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call } = session(backend, {}, noKnownFiles);
    expect(await call("edit_file", edit)).toMatchObject({ failed: true, code: "conflict" });
    const version = (await call("read_file", { path: "/a" })).structured?.["version"];
    expect(typeof version).toBe("string");
    expect((await call("edit_file", { ...edit, if_version: version })).failed).toBeUndefined();
    expect(await call("edit_file", { ...edit, if_version: version })).toMatchObject({
      failed: true,
      code: "conflict",
    });
    expect((await backend.read("/a")).content).toBe("two\n");
  });

  it("and a deletion are refused when the version is another", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call } = session(backend);
    expect((await call("delete", { path: "/a", if_version: "stale" })).code).toBe("conflict");
    expect((await call("write_file", { path: "/a", content: "x", if_version: "stale" })).code).toBe(
      "conflict",
    );
    expect((await backend.read("/a")).content).toBe("one\n");
  });
});
