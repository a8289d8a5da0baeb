import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "rolldown";
import { root } from "./workspace.js";

const SUITE = join(root, "packages/conformance");
const SHIM = join(root, "tools/repository/browser/node-for-the-suite.ts");

/** What the suite reads of its own package, by its path in there. */
function suiteFiles(): Record<string, string> {
  const listed = ["cases", "spec"].flatMap((folder) =>
    readdirSync(join(SUITE, folder)).map((name) => `${folder}/${name}`),
  );
  const files = [...listed, "package.json"].map((path) => [
    path,
    readFileSync(join(SUITE, path), "utf8"),
  ]);
  return { ...Object.fromEntries(files), "dist/suite-digest.txt": "browser" };
}

/**
 * The suite is written for Node, and it is what is tried in a browser that is not. Its modules, and no others, get what they
 * need of Node from a file of ours, so that a package under test that needs anything of Node still fails.
 */
export function suiteWithoutNode(): Plugin {
  return {
    name: "suite-without-node",
    transform(code, id) {
      if (id === SHIM)
        return code.replace("= SUITE_FILES", () => `= ${JSON.stringify(suiteFiles())}`);
      if (!id.startsWith(join(SUITE, "dist"))) return undefined;
      const place = `suite:///${id.slice(SUITE.length + 1)}`;
      const own = code
        .replaceAll("import.meta.url", JSON.stringify(place))
        .replaceAll(/ from "node:[a-z_/]+"/g, ` from ${JSON.stringify(SHIM)}`);
      return `import { Buffer, process } from ${JSON.stringify(SHIM)};\n${own}`;
    },
  };
}
