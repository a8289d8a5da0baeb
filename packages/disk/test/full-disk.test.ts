import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { mountSmallDisk } from "@fs/test-servers";
import { afterAll, describe, expect, test } from "vitest";
import { operationsOn } from "./fixtures/operations.mjs";

const CHANGES = ["write", "edit", "delete", "move", "copy", "upload"];
const paths = { file: "/a/file.txt", made: "/a/new.txt" };
const disk = mountSmallDisk(4);
const place = disk?.path ?? "";
afterAll(() => disk?.remove());

describe.runIf(disk !== undefined)(
  "a small disk of its own (needs root, and leave to mount)",
  () => {
    const isChange = (name: string): boolean =>
      CHANGES.some((change) => name === change || name === `durable ${change}`);
    /** A tree of its own for an operation, on the small disk. */
    const makeTree = (name: string): string => {
      const root = join(place, name.replaceAll(" ", "-"));
      mkdirSync(join(root, "a"), { recursive: true });
      writeFileSync(join(root, paths.file), "needle\n");
      return root;
    };
    const names = Object.keys(operationsOn(place, paths));

    test.each(names)("%s where no room is left", async (name) => {
      const root = makeTree(name);
      const [run, isDone, options = {}] = operationsOn(root, paths)[name] ?? [];
      disk?.fill();
      try {
        const answer = await run?.(new FilesystemBackend({ rootDir: root, ...options }));
        const code = answer !== undefined && "code" in answer ? answer.code : undefined;
        // What takes no room goes on; what does is done or refused, and the file that was there is whole.
        expect([undefined, ...(isChange(name) ? ["quota_exceeded"] : [])]).toContain(code);
        if (isChange(name)) expect([name, isDone?.()]).toEqual([name, code === undefined]);
        if (/write|edit|copy|upload/.test(name))
          expect([name, code]).toEqual([name, "quota_exceeded"]);
        if (code !== undefined)
          expect(readFileSync(join(root, paths.file), "utf8")).toBe("needle\n");
      } finally {
        disk?.free();
      }
    });

    test.each(names)("%s where nothing may be written", async (name) => {
      const root = makeTree(`read-only ${name}`);
      const [run, isDone, options = {}] = operationsOn(root, paths)[name] ?? [];
      disk?.remount("ro");
      try {
        const answer = await run?.(new FilesystemBackend({ rootDir: root, ...options }));
        const code = answer !== undefined && "code" in answer ? answer.code : undefined;
        expect([name, code]).toEqual([name, isChange(name) ? "permission_denied" : undefined]);
        if (isChange(name)) expect([name, isDone?.()]).toEqual([name, false]);
        expect(readFileSync(join(root, paths.file), "utf8")).toBe("needle\n");
      } finally {
        disk?.remount("rw");
      }
    });
  },
);
