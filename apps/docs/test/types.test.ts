import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { typeCheckedModules } from "@fs/readme-examples";
import { expect, test } from "vitest";
import { readersFiles } from "../src/page-files.js";
import { app, root } from "../src/repository.js";

/** What blocks that are not run take for granted: a program around them. */
const AMBIENT = `
declare const model: import("@langchain/core/language_models/chat_models").BaseChatModel;
declare const backend: import("@fs/protocol").Filesystem;
declare const base: import("@fs/protocol").Filesystem;
declare const signal: AbortSignal;
declare const pool: import("pg").Pool;
declare const url: string;
declare const threadId: string;
declare const harness: import("@fs/conformance").Harness;
declare const withCache: <B>(backend: B) => B;
declare const MyBackend: new (options: { directory: string }) => import("@fs/protocol").VolumeBackend;
declare const MyVolume: typeof import("@fs/protocol").MemoryVolume;
declare module "my-backend" {
  export const MyBackend: new (options: { directory: string }) => import("@fs/protocol").VolumeBackend;
}
`;

test("every TypeScript block of every page compiles", () => {
  const folder = join(app, ".build/examples");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const modules = typeCheckedModules(readersFiles());
  expect(modules.length).toBeGreaterThan(25);
  for (const { page, code } of modules)
    writeFileSync(join(folder, `${page.replace(/\W+/g, "-")}.ts`), code);
  writeFileSync(join(folder, "ambient.d.ts"), AMBIENT);
  const compilerOptions = {
    noEmit: true,
    declaration: false,
    declarationMap: false,
    exactOptionalPropertyTypes: false,
    noImplicitOverride: false,
  };
  const config = { extends: "../../../../tsconfig.base.json", compilerOptions, include: ["."] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", folder],
    { encoding: "utf8" },
  );
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
