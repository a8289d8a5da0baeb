import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHOOSING, levelsOf, readMatrix, withLevels } from "../src/matrix-table.js";
import { cellsOf, filesWithTables, optionTable, withTables } from "../src/option-tables.js";
import { root } from "../src/repository.js";

const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

describe("what is generated is in step; `npm run docs:generate` makes it so", () => {
  test.each(filesWithTables())("the options of %s are those of its types", (path) => {
    const text = textOf(path);
    expect(cellsOf(text)).toBe(cellsOf(withTables(text)));
  });

  test("the levels of the backends are those of the matrix", () => {
    const page = textOf(CHOOSING);
    expect(cellsOf(page)).toBe(cellsOf(withLevels(page, readMatrix())));
  });
});

describe("the generators", () => {
  test("an option has its type, its default and what is said of it", () => {
    const table = optionTable(
      "FilesystemBackendOptions",
      "packages/disk/src/filesystem-backend.ts",
    );
    expect(table).toContain('| `symlinks` | `"reject" \\| "inside"` | `"reject"` |');
    expect(table).not.toContain("maxFileSizeMb"); // deprecated
    expect(table).toContain("`writeMode`, `concurrency`, `onError`");
  });

  test("one of two alternatives is not required", () => {
    const table = optionTable(
      "PostgresBackendOptions",
      "packages/postgres/src/postgres-backend.ts",
    );
    expect(table).toContain("| `url` | `string` | one of the two |");
  });

  test("a type that has gone is an error", () => {
    expect(() => optionTable("NoSuchOptions", "packages/s3/src/options.ts")).toThrow(
      "has no NoSuch",
    );
  });

  test("the matrix has levels for all of its deployments", () => {
    const rows = levelsOf(readMatrix());
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.every(({ levels }) => levels.every((level) => level !== ""))).toBe(true);
  });
});
