import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importRules, manifestViolations } from "../src/import-rules.js";
import { importedModules, sourceViolations } from "../src/source-imports.js";
import { root, workspacePackages, type Manifest } from "../src/workspace.js";

const packages = workspacePackages();

describe("this repository", () => {
  test("has the packages that the rules speak of", () => {
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["@fs/protocol", "@fs/disk", "@fs/middleware", "@fs/demo"]),
    );
  });

  test("every package.json obeys the import rules", () => {
    expect(manifestViolations(packages)).toEqual([]);
  });

  test.each(packages.filter(({ folder }) => existsSync(join(root, folder, "src"))))(
    "$name imports only what it declares, and nothing beside its own sources",
    ({ folder, manifest }) => {
      expect(sourceViolations(join(root, folder), manifest)).toEqual([]);
    },
  );
});

describe("the rules bite", () => {
  const base = { version: "0.0.0" };
  const violations = (manifest: Manifest, area: "packages" | "apps" = "packages"): string[] =>
    manifestViolations([
      ...packages.filter(({ name }) => name !== manifest.name),
      { name: manifest.name, area, folder: "x", manifest },
    ]);

  test.each<[string, Manifest, string]>([
    [
      "a backend uses another backend",
      { ...base, name: "@fs/s3", dependencies: { "@fs/postgres": "*" } },
      "@fs/s3 may not use @fs/postgres",
    ],
    [
      "the protocol uses anything of the workspace",
      { ...base, name: "@fs/protocol", dependencies: { "@fs/conformance": "*" } },
      "@fs/protocol may not use @fs/conformance",
    ],
    [
      "LangChain as a dependency",
      { ...base, name: "@fs/state", dependencies: { "@langchain/core": "*" } },
      "@fs/state must have @langchain/core as a peer, not as a dependency",
    ],
    [
      "LangChain as a peer where it has no place",
      { ...base, name: "@fs/disk", peerDependencies: { langchain: "*" } },
      "@fs/disk may not have langchain as a peer",
    ],
    [
      "more of LangChain than the exception says",
      { ...base, name: "@fs/redis", peerDependencies: { "@langchain/core": "*" } },
      "@fs/redis may not have @langchain/core as a peer",
    ],
    [
      "the exception's peer, but not optional",
      {
        ...base,
        name: "@fs/redis",
        peerDependencies: { "@langchain/langgraph-checkpoint": "*" },
      },
      "@fs/redis may have @langchain/langgraph-checkpoint only as an optional peer",
    ],
    [
      "a backend installs the client of another",
      { ...base, name: "@fs/redis", dependencies: { pg: "*" } },
      "@fs/redis may not install pg",
    ],
    [
      "somebody depends on an app",
      { ...base, name: "@fs/disk", devDependencies: { "@fs/demo": "*" } },
      "@fs/disk depends on the app @fs/demo",
    ],
    ["a package without a rule", { ...base, name: "@fs/new" }, "@fs/new has no import rule"],
  ])("%s", (_, manifest, violation) => {
    expect(violations(manifest)).toContain(violation);
  });

  test("an app may use anything", () => {
    const others = packages.filter(({ area }) => area !== "apps").map(({ name }) => [name, "*"]);
    const dependencies: Record<string, string> = { ...Object.fromEntries(others), pg: "*" };
    expect(violations({ ...base, name: "@fs/demo", dependencies }, "apps")).toEqual([]);
  });

  test("the documented exceptions are the only edges between backends", () => {
    const edges = Object.entries(importRules).flatMap(([name, { workspace }]) =>
      workspace.filter((to) => to !== "@fs/protocol").map((to) => `${name} -> ${to}`),
    );
    expect(edges).toEqual([
      "@fs/shell -> @fs/disk",
      "@fs/mcp -> @fs/tools",
      "@fs/ai-sdk -> @fs/tools",
      "@fs/just-bash -> @fs/node",
      "@fs/mastra -> @fs/node",
      "@fs/middleware -> @fs/state",
      "@fs/middleware -> @fs/tools",
      "@fs/staging -> @fs/changes",
      "@fs/journal -> @fs/changes",
      "@fs/agent -> @fs/state",
      "@fs/agent -> @fs/middleware",
    ]);
  });

  test("every kind of import in a source is seen", () => {
    const source = `
      import a from "one";
      import type { B } from "two";
      export { c } from "three";
      export * from "four/sub";
      import "five";
      const f = await import("six");
      // import g from "comment";
      const text = 'import h from "string"';
    `;
    expect(importedModules("x.ts", source).toSorted()).toEqual(
      ["five", "four/sub", "one", "six", "three", "two"].toSorted(),
    );
  });

  test("an undeclared, an escaping and an unprefixed import are found", () => {
    const folder = join(import.meta.dirname, "fixture/bad-package");
    expect(sourceViolations(folder, { ...base, name: "bad", dependencies: { zod: "*" } })).toEqual([
      "bad src/index.ts: write node:fs",
      "bad src/index.ts: pg is not among its dependencies",
      "bad src/index.ts: ../test/secret.js leaves the package's sources",
    ]);
  });
});
