import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { npmInstall } from "./npm-install.js";
import { output } from "./tarballs.js";
import { root, workspaceClosure, type WorkspacePackage } from "./workspace.js";

/** The consumer of a package: a few lines as a user writes them, which throw when it does not work. */
export function consumerOf(pkg: WorkspacePackage): string {
  return join(root, "tools/repository/consumers", `${basename(pkg.folder)}.ts`);
}

/**
 * Installs one package from its tarball into a new project with plain npm, and returns the names of
 * all packages that came along. The workspace packages that it depends on come as tarballs as well,
 * since no registry has these versions of them.
 */
export async function installAlone(
  pkg: WorkspacePackage,
  options: {
    readonly all: readonly WorkspacePackage[];
    readonly tarballs: ReadonlyMap<string, string>;
    readonly project: string;
  },
): Promise<string[]> {
  const { all, tarballs, project } = options;
  const dependencies = Object.fromEntries(
    workspaceClosure(pkg, all).map(({ name }) => {
      const tarball = tarballs.get(name);
      if (tarball === undefined) throw new Error(`${pkg.name} needs ${name}, which is not packed`);
      return [name, `file:${tarball}`];
    }),
  );
  await mkdir(project, { recursive: true });
  const manifest = { name: "consumer", private: true, type: "module", dependencies };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest, null, 2));
  await npmInstall(project, "--ignore-scripts");
  const lock: { packages: Record<string, unknown> } = JSON.parse(
    await readFile(join(project, "package-lock.json"), "utf8"),
  );
  const paths = Object.keys(lock.packages).filter((path) => path !== "");
  return [...new Set(paths.map((path) => path.split("node_modules/").at(-1) ?? path))].toSorted();
}

/**
 * Type-checks and compiles the consumer with the repository's own compiler, then runs it.
 *
 * Declarations are checked as well, but only our own: those of others are not ours to mend.
 */
export async function tryConsumer(pkg: WorkspacePackage, project: string): Promise<void> {
  await copyFile(consumerOf(pkg), join(project, "consumer.ts"));
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    strict: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  const config = { compilerOptions, files: ["consumer.ts"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    await output(process.execPath, [tsc, "-p", ".", "--pretty", "false"], { cwd: project });
  } catch (error) {
    const ours = /^(?:consumer\.ts|node_modules\/@fs\/)\S*: error .*$/gm;
    const found = String(error).match(ours) ?? [];
    if (found.length > 0 || !String(error).includes(": error TS"))
      throw new Error(found.join("\n") || "the compiler failed", { cause: error });
  }
  await output(process.execPath, ["consumer.js"], { cwd: project });
}
