import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

// With this package's types the same file is part of the package's own test project.
test("the type surface compiles with deepagents' types as well", () => {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(manifest), "bin", "tsc");
  const project = join(import.meta.dirname, "types", "tsconfig.deepagents.json");
  const compile = () =>
    execFileSync(process.execPath, [compiler, "-p", project], { stdio: "pipe" });
  expect(compile).not.toThrow();
});
