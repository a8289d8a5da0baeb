import { describe, expect, test } from "vitest";
import { as, bytes, journalled } from "./journalled.js";

describe("blame", () => {
  test("names the change behind each line, and what no change is behind", async () => {
    const { base, files, journal } = journalled();
    await base.write("/a.txt", "old\nline 2\nline 3\n");
    await as("1", () => files.edit("/a.txt", "line 2", "LINE 2"), "ann");
    await base.edit("/a.txt", "line 3", "foreign");
    await as("2", () => files.edit("/a.txt", "foreign\n", "foreign\nlast\n"), "bob");
    const { lines = [] } = await journal.blame("/a.txt");
    expect(
      lines.map(({ text, record, unrecorded }) => [text, record?.caller.actor ?? unrecorded]),
    ).toEqual([
      ["old", "before the journal"],
      ["LINE 2", "ann"],
      ["foreign", "outside the journal"],
      ["last", "bob"],
    ]);
  });

  test("follows the file itself through records of several files (J8)", async () => {
    const { files, journal } = journalled();
    await as("upload", async () =>
      files.uploadFiles?.([
        ["/0", bytes("other\n")],
        ["/a", bytes("alpha\n")],
        ["/d/a", bytes("gone\n")],
        ["/d/b", bytes("beta\n")],
      ]),
    );
    await files.move?.("/a", "/b");
    await as("edit", () => files.edit("/d/b", "beta\n", "beta\nmore\n"));
    await files.move?.("/d", "/e");
    await files.move?.("/e", "/f");
    const writers = async (path: string): Promise<unknown> =>
      (await journal.blame(path)).lines?.map(({ text, record }) => [text, record?.caller.turnId]);
    expect(await writers("/b")).toEqual([["alpha", "upload"]]);
    expect(await writers("/f/b")).toEqual([
      ["beta", "upload"],
      ["more", "edit"],
    ]);
    expect((await journal.history("/f/b")).records).toHaveLength(4);
  });

  test("follows a file over one that it came over (J8)", async () => {
    const { files, journal } = journalled();
    await as("first", () => files.write("/a", "alpha\n"));
    await as("second", () => files.write("/b", "replaced\n"));
    await files.move?.("/a", "/b", { overwrite: true });
    const { lines } = await journal.blame("/b");
    expect(lines?.map(({ text, record }) => [text, record?.caller.turnId])).toEqual([
      ["alpha", "first"],
    ]);
  });

  test("is right on a file of 1,000 edits", async () => {
    const { files, journal } = journalled();
    const lines = Array.from({ length: 50 }, (_, n) => `${n}:0\n`);
    await as("start", () => files.write("/a.txt", lines.join("")));
    const expected = Array.from({ length: 50 }, () => "start");
    for (let n = 1; n <= 1000; n++) {
      const line = (n * 37) % 50;
      const old = lines[line] ?? "";
      lines[line] = `${line}:${n}\n`;
      await as(`edit ${n}`, () =>
        files.edit(
          "/a.txt",
          `\n${old}`.slice(line === 0 ? 1 : 0),
          `\n${lines[line]}`.slice(line === 0 ? 1 : 0),
        ),
      );
      expected[line] = `edit ${n}`;
    }
    const blamed = await journal.blame("/a.txt");
    expect(blamed.lines?.map(({ record }) => record?.caller.turnId)).toEqual(expected);
  });
});
