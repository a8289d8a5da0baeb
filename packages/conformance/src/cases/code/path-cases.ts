import type { ResultBase } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

const ESCAPES = ["/../a", "/a/../../b", "/..", "/a/..", "/./../x", "/a/../b"];

/** Every method that takes a path, called with one that must be refused. */
async function everyMethod(context: CaseContext, path: string, code: string): Promise<void> {
  const { backend, check, profile } = context;
  const calls: Array<readonly [string, () => Promise<ResultBase>]> = [
    ["read", () => backend.read(path)],
    ["readRaw", () => backend.readRaw(path)],
    ["write", () => backend.write(path, "x")],
    ["edit", () => backend.edit(path, "a", "b")],
    ["ls", () => backend.ls(path)],
    ["glob", () => backend.glob("*", path)],
    ["grep", () => backend.grep("x", path)],
  ];
  if (profile.delete) calls.push(["delete", () => backend.delete(path)]);
  if (profile.move) calls.push(["move", () => backend.move("/inside.txt", path)]);
  if (profile.copy) calls.push(["copy", () => backend.copy(path, "/copied.txt")]);
  for (const [method, call] of calls) check.failed(await call(), code, `${method}(${show(path)})`);
  if (!profile.transfer) return;
  const [up] = await backend.uploadFiles([[path, Uint8Array.of(120)]]);
  const [down] = await backend.downloadFiles([path]);
  check.equal(
    [up?.error, down?.error],
    ["invalid_path", "invalid_path"],
    `A transfer of ${show(path)}`,
    "T2",
  );
}

/** Paths that every method must treat alike. */
export const pathCases: readonly Case[] = [
  {
    id: "path/dotdot-escape",
    rules: ["P2"],
    level: "core",
    needs: [],
    why: "A segment '..' is refused by every method, also where it would stay inside.",
    hint: "Check the path before it reaches the storage; resolving first and comparing then lets symbolic links through.",
    run: async (context) => {
      await context.given({ "/inside.txt": "in" });
      await everyMethod(context, "/../outside.txt", "invalid_path");
      for (const path of ESCAPES) {
        context.check.failed(
          await context.backend.write(path, "x"),
          ["invalid_path", "is_directory"],
          `write(${show(path)})`,
        );
        context.check.failed(
          await context.backend.read(path),
          ["invalid_path", "is_directory"],
          `read(${show(path)})`,
        );
      }
      const listed = (await context.backend.glob("**")).files?.map(({ path }) => path);
      context.check.equal(listed, ["/inside.txt"], "What is stored in the end");
    },
  },
  {
    id: "path/nul-everywhere",
    rules: ["P2"],
    level: "core",
    needs: [],
    why: "A NUL byte is refused by every method.",
    run: async (context) => {
      await context.given({ "/inside.txt": "in" });
      await everyMethod(context, "/a\0b", "invalid_path");
    },
  },
];
