import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "../bootstrap/repository.mjs";

/** Packages without a backend of their own, though wrappers of theirs may have rows. */
const NO_BACKENDS = new Set([
  "agent",
  "ai-sdk",
  "anthropic",
  "changes",
  "config",
  "just-bash",
  "mastra",
  "mcp",
  "middleware",
  "openai-agents",
  "protocol",
  "tools",
]);
/** The backends of others. */
const OTHERS = "packages/conformance/test/measured/deepagents.ts";
/** What registers a deployment: a package needs nothing else to get its rows. */
const BINDING = /from "@fs\/conformance\/vitest"/;

/**
 * The test files that register deployments, of the named packages or of all; and the packages that have none, with why.
 *
 * @param {readonly string[]} names
 * @returns {{ files: string[], missing: { name: string, reason: string }[] }}
 */
export function measurements(names) {
  const known = readdirSync(`${root}/packages`);
  for (const name of names)
    if (name !== "deepagents" && !known.includes(name))
      throw new Error(`There is no package '${name}'. There are deepagents, ${known.join(", ")}.`);
  const wanted = (name) => names.length === 0 || names.includes(name);
  const packages = known.filter(wanted).map((name) => ({ name, files: deploymentFiles(name) }));
  return {
    files: [...packages.flatMap(({ files }) => files), ...(wanted("deepagents") ? [OTHERS] : [])],
    missing: packages
      .filter(({ name, files }) => files.length === 0 && !NO_BACKENDS.has(name))
      .map(({ name }) => ({
        name: `@fs/${name}`,
        reason: existsSync(`${root}/packages/${name}/src/index.ts`)
          ? "it has no conformance test"
          : "it has no sources yet",
      })),
  };
}

function deploymentFiles(name) {
  const folder = `packages/${name}/test`;
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`)
    .filter(registersDeployments)
    .toSorted();
}

/** Whether a test file of the repository registers deployments. */
export function registersDeployments(file) {
  return BINDING.test(readFileSync(`${root}/${file}`, "utf8"));
}
