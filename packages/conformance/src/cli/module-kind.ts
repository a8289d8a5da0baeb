import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

/** What to do where Node takes an ES module for CommonJS. */
export const TYPE_MODULE_HINT =
  'Add "type": "module" to the package.json above it, or give the file the extension .mjs.';

/** Whether Node loads a file as an ES module, by its extension and the nearest `package.json`. */
export function isLoadedAsModule(file: string): boolean {
  const extension = extname(file);
  if (extension === ".mjs" || extension === ".mts") return true;
  if (extension === ".cjs" || extension === ".cts") return false;
  return packageType(dirname(file)) === "module";
}

function packageType(folder: string): unknown {
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) {
    const value: unknown = JSON.parse(readFileSync(manifest, "utf8"));
    return typeof value === "object" && value !== null ? Reflect.get(value, "type") : undefined;
  }
  const above = dirname(folder);
  return above === folder ? undefined : packageType(above);
}

/** Whether an error of Node's is about an ES module that it took for CommonJS. */
export function isModuleKindError(error: unknown): boolean {
  return (
    error instanceof SyntaxError &&
    /Cannot use import statement outside a module|Unexpected token 'export'|is a CommonJS module, which may not support/.test(
      error.message,
    )
  );
}

/** Whether a package is installed where a file, there or not yet, imports it from: in its folder or above. */
export function canImport(name: string, file: string): boolean {
  const folder = dirname(file);
  if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
  return folder !== file && canImport(name, folder);
}
