// Other versions of Node, Bun and Deno, from the registry, for this machine's system and processor.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./run-quietly.mjs";

const SYSTEM = `${process.platform}-${process.arch}`;

const PACKAGES = {
  "node 20": { name: `node-${SYSTEM}`, version: "20", program: "bin/node", args: [] },
  "node 22": { name: `node-${SYSTEM}`, version: "22", program: "bin/node", args: [] },
  "node 24": { name: `node-${SYSTEM}`, version: "24", program: "bin/node", args: [] },
  bun: { name: `@oven/bun-${SYSTEM}`, version: "1", program: "bin/bun", args: ["run"] },
  deno: {
    name: process.platform === "linux" ? `@deno/${SYSTEM}-glibc` : `@deno/${SYSTEM}`,
    version: "2",
    program: "deno",
    args: ["run", "--allow-all", "--node-modules-dir=manual", "--no-lock"],
  },
};

/**
 * Installs the runtimes that can be had.
 *
 * @param {string} folder
 * @param {readonly string[]} [names] Those of {@link PACKAGES} that are wanted; all of them without.
 * @returns {Promise<Array<{ name: string, program: string, args: readonly string[], version: string } | { name: string, missing: string }>>}
 */
export async function installRuntimes(folder, names = Object.keys(PACKAGES)) {
  const found = [];
  for (const name of names) {
    const { name: npmName, version, program, args } = PACKAGES[name];
    const home = join(folder, name.replace(" ", "-"));
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, "package.json"),
      JSON.stringify({ private: true, dependencies: { [npmName]: version } }),
    );
    const path = join(home, "node_modules", npmName, program);
    try {
      await runQuietly(
        "npm",
        ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--force"],
        home,
      );
      if (!existsSync(path)) throw new Error(`${npmName} holds no ${program}`);
      const printed = await runQuietly(path, ["--version"], home);
      found.push({ name, program: path, args, version: printed.trim().split("\n")[0] });
    } catch (error) {
      found.push({
        name,
        missing: error.message.split("\n").filter(Boolean).slice(0, 2).join(" "),
      });
    }
  }
  return found;
}
