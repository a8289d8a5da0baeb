import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The folder of this app. */
export const app = join(root, "apps/docs");
/** The Markdown that VitePress reads: copied from the repository, never edited. */
export const pagesFolder = join(app, ".build/pages");
/** The finished site. */
export const siteFolder = join(app, ".build/site");
/** Where sources that are no page of the site can be read. */
export const SOURCES = "https://github.com/fs-agents/fs/blob/main/";

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** An entry of a published package: what may be imported, and the source it is compiled from. */
export interface PackageEntry {
  /** As users import it, without the scope: `protocol/author`. */
  readonly name: string;
  /** The absolute path of the TypeScript source. */
  readonly source: string;
}

/** Every entry with types of every package under `packages`. */
export function packageEntries(): PackageEntry[] {
  return readdirSync(join(root, "packages")).flatMap((folder) => {
    const base = join(root, "packages", folder);
    const manifest = JSON.parse(readFileSync(join(base, "package.json"), "utf8")) as Manifest;
    return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
      const types: unknown =
        typeof target === "object" && target !== null ? Reflect.get(target, "types") : undefined;
      if (typeof types !== "string") return [];
      const source = types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts");
      return [{ name: join(folder, entry), source: join(base, source) }];
    });
  });
}
