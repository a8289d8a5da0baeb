import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { runtimeDependencies, type Manifest } from "./workspace.js";

const BUILTIN = new Set(builtinModules);

/** Every module that a source file names: imports, re-exports, type imports and literal `import()`. */
export function importedModules(file: string, source: string): string[] {
  const { module, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const reexported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(["'`])([^$]*)\1$/.exec(source.slice(start, end));
    return literal?.[2] === undefined ? [] : [literal[2]];
  });
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...reexported,
    ...dynamic,
  ];
}

/** Every import in a package's `src` that its manifest does not allow, or that leaves the package. */
export function sourceViolations(folder: string, manifest: Manifest): string[] {
  const src = join(folder, "src");
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((file) =>
    importedModules(file, readFileSync(file, "utf8")).flatMap((specifier) => {
      const problem = importProblem(specifier, file, src, manifest);
      return problem ? [`${manifest.name} ${relative(folder, file)}: ${problem}`] : [];
    }),
  );
}

function importProblem(
  specifier: string,
  file: string,
  src: string,
  manifest: Manifest,
): string | undefined {
  if (specifier.startsWith(".")) {
    const target = relative(src, resolve(dirname(file), specifier));
    return target.startsWith("..") ? `${specifier} leaves the package's sources` : undefined;
  }
  if (specifier.startsWith("node:")) return undefined;
  if (BUILTIN.has(specifier)) return `write node:${specifier}`;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const declared = [
    ...runtimeDependencies(manifest),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ];
  return declared.includes(name) || name === manifest.name
    ? undefined
    : `${name} is not among its dependencies`;
}
