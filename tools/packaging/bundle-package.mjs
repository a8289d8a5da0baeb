// Runs before a package is packed, in its folder, after check-built.mjs: makes `docs`, and `lib` from `dist`. Each entry becomes one
// module and everything that is loaded later a chunk, so that a start reads a few files instead of a hundred. Nothing is
// minified, since the text of a published module is what a stack trace is read by; declarations stay the compiler's own.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { rolldown } from "rolldown";
import { root } from "../bootstrap/repository.mjs";
import { copyPages } from "./package-docs.mjs";
import { declarationFiles, entryModules, manifestOf } from "./published-files.mjs";

const PLACE = "__place_of_module__";

/**
 * A module asks for files beside it by `import.meta.url`, which is its chunk's once it is bundled. `lib` has the paths of
 * `dist`, so what the module meant is where it would be in `lib`.
 *
 * @param {string} dist
 * @returns {import("rolldown").Plugin}
 */
function keepPlaces(dist) {
  return {
    name: "keep-places",
    transform(code, id) {
      if (!code.includes("import.meta.url")) return undefined;
      const place = relative(dist, id).replaceAll("\\", "/");
      return code.replaceAll("import.meta.url", `${PLACE}(${JSON.stringify(place)})`);
    },
    renderChunk(code, { fileName }) {
      if (!code.includes(PLACE)) return undefined;
      return code.replaceAll(new RegExp(`${PLACE}\\("([^"]+)"\\)`, "g"), (_, place) => {
        const path = posix.relative(posix.dirname(fileName), place);
        const specifier = path.startsWith(".") ? path : `./${path}`;
        return place === fileName
          ? "import.meta.url"
          : `new URL(${JSON.stringify(specifier)}, import.meta.url).href`;
      });
    },
  };
}

/**
 * What several entries of the protocol share goes into one module: every backend loads most of it, and twenty small files
 * cost a start more than one that is read to its end.
 */
function sharedInOne(folder, manifest) {
  if (manifest.name !== "@fs/protocol") return true;
  return { groups: [{ name: "shared", minShareCount: 2, test: join(folder, "dist") }] };
}

/** Makes `lib` and `docs` of one package anew. Rejects when a module cannot be bundled. */
export async function bundlePackage(folder) {
  const manifest = manifestOf(folder);
  copyPages(root, folder, manifest);
  const dist = join(folder, "dist");
  const lib = join(folder, "lib");
  rmSync(lib, { recursive: true, force: true });
  const input = Object.fromEntries(
    entryModules(manifest).map((path) => [
      path.slice("dist/".length, -".js".length),
      join(folder, path),
    ]),
  );
  const bundle = await rolldown({
    input,
    cwd: folder,
    // Whatever is not a file of the package stays an import.
    external: /^[^./]/,
    platform: "neutral",
    plugins: [keepPlaces(dist)],
    onLog(level, log, handler) {
      if (level === "warn") throw new Error(`${manifest.name}: ${log.message}`);
      handler(level, log);
    },
  });
  await bundle.write({
    dir: lib,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    minify: false,
    comments: { legal: true, annotation: true, jsdoc: false },
    codeSplitting: sharedInOne(folder, manifest),
  });
  await bundle.close();
  for (const path of declarationFiles(folder, manifest)) copyDeclaration(folder, path);
}

/** Without the reference to its map, which leads to sources that are not published, and indented by tabs as the modules are. */
function copyDeclaration(folder, path) {
  const target = join(folder, path.replace(/^dist\//, "lib/"));
  mkdirSync(dirname(target), { recursive: true });
  const text = readFileSync(join(folder, path), "utf8");
  const indented = text.replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
  writeFileSync(target, indented.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n"));
}

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1])
  await bundlePackage(process.cwd());
