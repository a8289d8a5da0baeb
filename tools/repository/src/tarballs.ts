import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, type WorkspacePackage } from "./workspace.js";

export const run = promisify(execFile);

/** Runs a program and returns all that it printed; what it printed is in the error when it fails. */
export async function output(
  command: string,
  args: readonly string[],
  {
    cwd,
    env = {},
  }: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  try {
    const { stdout, stderr } = await run(command, [...args], {
      cwd,
      // npm's own programs are scripts on Windows, which only a shell starts.
      shell: process.platform === "win32" && !command.endsWith(".exe"),
      maxBuffer: 64 * 1024 * 1024,
      env: { ...quietEnvironment(), ...env },
    });
    return stdout + stderr;
  } catch (error) {
    if (error instanceof Error && "stdout" in error && "stderr" in error)
      throw new Error(
        `${command} ${args.join(" ")} failed:\n${String(error.stdout)}${String(error.stderr)}`,
        { cause: error },
      );
    throw error;
  }
}

/** Without the settings of the npm and the Vitest that run the tests, which are not a user's. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$)/i.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    npm_config_loglevel: "error",
    npm_config_update_notifier: "false",
  };
}

/** Compiles the packages and removes what earlier sources left, so that the tarballs hold what the sources say now. */
export async function buildPackages(packages: readonly WorkspacePackage[]): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await output(process.execPath, [tsc, "-b", ...packages.map(({ folder }) => folder)], {
    cwd: root,
  });
  const check = join(root, "tools/bootstrap/check-built.mjs");
  for (const { folder } of packages)
    await output(process.execPath, [check, "--remove-stale"], { cwd: join(root, folder) });
}

/** Packs packages into a folder; the paths of the tarballs by package name. */
export async function packAll(
  packages: readonly WorkspacePackage[],
  destination: string,
): Promise<Map<string, string>> {
  const filters = packages.map(({ name }) => `--filter=${name}`);
  const pnpm = join(root, "tools/bootstrap/pnpm.mjs");
  const args = [pnpm, "--recursive", ...filters, "pack", "--pack-destination", destination];
  await output(process.execPath, args, { cwd: root });
  const made = await readdir(destination);
  return new Map(
    packages.map(({ name, manifest }) => {
      const file = `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
      if (!made.includes(file)) throw new Error(`packing ${name} made no ${file}: ${made.join()}`);
      return [name, join(destination, file)];
    }),
  );
}

/** The paths inside a tarball, sorted, without npm's leading `package/`. */
export async function tarballFiles(tarball: string): Promise<string[]> {
  const listing = await output("tar", ["-tzf", tarball], { cwd: root });
  return listing
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""))
    .toSorted();
}

/** The bytes of all files in a tarball, or of some, by their path in it. */
export async function unpackedBytes(
  tarball: string,
  counts: (file: string) => boolean = () => true,
): Promise<number> {
  const listing = await output("tar", ["-tvzf", tarball], { cwd: root });
  return listing
    .trim()
    .split("\n")
    .map((line) => line.split(/\s+/))
    .filter((columns) => counts(columns.at(-1)?.replace("package/", "") ?? ""))
    .map((columns) => Number(columns[2]))
    .reduce((sum, size) => sum + size, 0);
}

/** Runs a program that the repository itself has installed. */
export function installedProgram(name: string, args: readonly string[]): Promise<string> {
  const program = join(root, "node_modules/.bin", name);
  if (!existsSync(program)) throw new Error(`${name} is not installed`);
  return output(program, args, { cwd: root });
}
