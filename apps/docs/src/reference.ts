import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Application } from "typedoc";
import { app, packageEntries, pagesFolder } from "./repository.js";

/** Writes one page for every export of every package, from the sources; throws if TypeDoc finds an error. */
export async function writeReference(): Promise<void> {
  const entries = packageEntries();
  const out = join(pagesFolder, "reference");
  const options = {
    entryPoints: entries.map(({ source }) => source),
    tsconfig: join(app, "tsconfig.reference.json"),
    plugin: ["typedoc-plugin-markdown"],
    // tsc has checked the sources; the compiler in TypeDoc only reads them.
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    readme: "none",
    githubPages: false,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    entryFileName: "index",
    out,
  };
  const typedoc = await Application.bootstrapWithPlugins(options);
  const project = await typedoc.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the sources.");
  const names = new Map(
    entries.map(({ name, source }) => [source.replace(/^.*\/packages\//, ""), name]),
  );
  for (const module of project.children ?? []) {
    const name = names.get(`${module.name}.ts`) ?? names.get(`${module.name}/index.ts`);
    if (name === undefined) throw new Error(`No entry of a package is called ${module.name}.`);
    module.name = name;
  }
  project.name = "Reference";
  await typedoc.generateOutputs(project);
  if (typedoc.logger.hasErrors()) throw new Error("TypeDoc could not write the reference.");
  await polish(out);
}

/** Titles as users know the packages, and no page in the search that only lists others. */
async function polish(out: string): Promise<void> {
  for (const entry of await readdir(out, { recursive: true })) {
    if (!entry.endsWith(".md")) continue;
    const file = join(out, entry);
    const text = (await readFile(file, "utf8")).replace(
      /^# ((?:[\w-]+)(?:\/[\w-]+)*)$/m,
      (whole, name: string) => (name === "Reference" ? whole : `# @fs/${name}`),
    );
    await writeFile(file, `---\noutline: false\neditSource: false\n---\n\n${text}`);
  }
}
