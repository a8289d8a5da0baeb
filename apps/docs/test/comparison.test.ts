import { FilesystemBackend } from "@fs/disk";
import * as peer from "deepagents";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linksOf } from "../src/links.js";
import { root } from "../src/repository.js";

// That a link leads somewhere is tested with all others; what the linked tests and figures say, by themselves.
const PAGES = { "README.md": "How it compares", "docs/guide/comparison.md": "Behaviour" };

/** The rows of the table below a heading, without the one that names the columns. */
function rowsBelow(text: string, heading: string): string[][] {
  const [, section = ""] = text.split(`## ${heading}\n`);
  const lines = section.split("\n## ")[0]?.split("\n") ?? [];
  const [, , ...rows] = lines.filter((line) => line.startsWith("|"));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe.each(Object.entries(PAGES))("the comparison in %s", (page, heading) => {
  test("says of every cell what shows it", async () => {
    const rows = rowsBelow(await readFile(join(root, page), "utf8"), heading);
    expect(rows.length).toBeGreaterThan(5);
    // A column that is headed "shown by" links for its whole row.
    const bare = rows.flatMap(([what, ours = "", theirs = "", shown]) =>
      [shown === undefined ? [ours, theirs] : [shown]]
        .flat()
        .filter((cell) => linksOf(cell).length === 0)
        .map((cell) => `${what}: ${cell}`),
    );
    expect(bare).toEqual([]);
  });
});

describe("what the comparison says of deepagents", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fs-comparison-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("a failure is a sentence, and here it has a code", async () => {
    const theirs = new peer.FilesystemBackend({ rootDir: folder, virtualMode: true });
    const failed = { ...(await theirs.read("/nothing.txt")) };
    expect(failed).toMatchObject({ error: expect.any(String) });
    expect(failed).not.toHaveProperty("code");
    const ours = new FilesystemBackend({ rootDir: folder });
    expect(await ours.read("/nothing.txt")).toMatchObject({
      error: expect.any(String),
      code: "not_found",
    });
  });

  test("it has no backend of its own for S3, PostgreSQL or Redis", () => {
    const backends = Object.keys(peer).filter((name) => name.endsWith("Backend"));
    expect(backends).toContain("StoreBackend");
    expect(backends.filter((name) => /s3|postgres|redis/i.test(name))).toEqual([]);
  });
});
