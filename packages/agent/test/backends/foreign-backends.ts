import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type * as deepagents from "deepagents";
import { existsAs } from "./host-files.js";
import type { BackendPackage } from "./packages.js";

/** A backend whose `filesUpdate` is put into the state, as a tool of deepagents 1.8 does. */
export function returningUpdates<T extends object>(
  backend: T,
  files: Record<string, deepagents.FileData>,
): T {
  return new Proxy(backend, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]): Promise<unknown> => {
        const answer = (await method.apply(target, args)) as {
          filesUpdate?: Record<string, deepagents.FileData | null> | null;
        };
        for (const [path, file] of Object.entries(answer.filesUpdate ?? {}))
          if (file === null) delete files[path];
          else files[path] = file;
        return answer;
      };
    },
  });
}

/** What a StateBackend of a runtime stores in the first format. */
export async function firstFormat(
  StateBackend: BackendPackage["StateBackend"],
  runtime: deepagents.BackendRuntime,
): Promise<unknown> {
  const backend = new StateBackend(runtime, { fileFormat: "v1" });
  // One package answers at once, the other with a promise.
  const { filesUpdate } = await Promise.resolve(backend.write("/v1.txt", "one\ntwo"));
  return filesUpdate?.["/v1.txt"]?.content;
}

/** A sandbox as one writes it for deepagents: four members. */
export function foreignSandbox(
  Base: BackendPackage["BaseSandbox"],
): new () => deepagents.BaseSandbox {
  return class extends Base {
    readonly id = "foreign";

    execute(command: string): Promise<deepagents.ExecuteResponse> {
      return new Promise((resolve) => {
        execFile("/bin/sh", ["-c", command], (error, output) => {
          resolve({
            output,
            exitCode: error === null ? 0 : Number(error.code ?? 1),
            truncated: false,
          });
        });
      });
    }

    async uploadFiles(files: [string, Uint8Array][]): Promise<deepagents.FileUploadResponse[]> {
      return files.map(([path, bytes]) => {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
        return { path, error: null };
      });
    }

    async downloadFiles(paths: string[]): Promise<deepagents.FileDownloadResponse[]> {
      return paths.map((path) => {
        const text = existsAs(path);
        return text === "nothing"
          ? { path, content: null, error: "file_not_found" as const }
          : { path, content: Buffer.from(text), error: null };
      });
    }
  };
}

/** A backend of the first protocol, with one file. */
export function firstVersion(): deepagents.BackendProtocolV1 {
  const data = {
    content: ["one"],
    created_at: "2026-01-01T00:00:00Z",
    modified_at: "2026-01-01T00:00:00Z",
  };
  return {
    lsInfo: () => [{ path: "/a.txt", is_dir: false }],
    read: () => "one",
    readRaw: () => data,
    grepRaw: () => [{ path: "/a.txt", line: 1, text: "one" }],
    globInfo: () => [{ path: "/a.txt", is_dir: false }],
    write: (path: string) => ({ path, filesUpdate: null }),
    edit: (path: string) => ({ path, occurrences: 1, filesUpdate: null }),
  };
}
