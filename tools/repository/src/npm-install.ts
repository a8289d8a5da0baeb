import { output } from "./tarballs.js";

/**
 * Installs what a folder's manifest asks for, and further packages, by what npm has kept of the registry. That may be older than
 * what a package published since asks for: then the registry is asked.
 */
export async function npmInstall(folder: string, ...more: readonly string[]): Promise<void> {
  const install = (freshness: string): Promise<string> =>
    output("npm", ["install", freshness, "--no-audit", "--no-fund", ...more], { cwd: folder });
  try {
    await install("--prefer-offline");
  } catch (error) {
    if (!String(error).includes("ETARGET")) throw error;
    await install("--prefer-online");
  }
}
