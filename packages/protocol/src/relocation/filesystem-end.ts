import { incomplete, isComplete, treeAccessOf } from "../call/tree-access.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import type { ErrorCode } from "../errors/codes.js";
import { VolumeError } from "../errors/volume-error.js";
import { parentOf } from "../paths/segments.js";
import type { VolumeUpload } from "../spi/volume.js";
import type { CallOptions, UploadCondition, UploadFile } from "../types/options.js";
import type { Feature, Filesystem } from "../types/protocol.js";
import type { FileOperationError } from "../types/results.js";
import type { RelocationEnd, Standing } from "./ends.js";

/** Removals under way at once; the protocol has no batch for them. */
const WIDTH = 16;

/** A filesystem as an end of a relocation: a composite, or what a wrapper stands before. */
export function filesystemEnd(filesystem: Filesystem, call: CallOptions): RelocationEnd {
  const featuresAt = (path: string): readonly Feature[] =>
    filesystem.featuresAt?.(path) ?? filesystem.features ?? [];
  const conditional = (path: string): boolean => featuresAt(path).includes("conditionalUploads");
  const versioned = (path: string): boolean =>
    featuresAt(path).includes("versions") && conditional(path);
  return {
    versioned,
    stat: (path) => standingAt(filesystem, path, call),
    filesBelow: (directory) => treeAccessOf(filesystem).filesBelow(directory, call),
    removeEmpty: (directory, unlisted) =>
      treeAccessOf(filesystem).removeEmpty(directory, call, unlisted),
    async get(paths) {
      if (paths.length === 0) return [];
      const answers = (await filesystem.downloadFiles?.([...paths], call)) ?? [];
      return paths.map((path, index) => {
        const answer = answers[index];
        if (answer?.error === null && answer.content !== null)
          return fulfilled({
            bytes: answer.content,
            version: answer.version,
            writeId: answer.writeId,
          });
        return rejected(path, answer);
      });
    },
    async put(files) {
      if (files.length === 0) return [];
      const known = await Promise.all(
        files.map(async ([path, , condition]) =>
          conditional(path) || condition?.ifAbsent !== true
            ? undefined
            : standingAt(filesystem, path, call),
        ),
      );
      const wanted = files.flatMap(([path, bytes, condition], index): UploadFile[] => {
        if (known[index] !== undefined) return [];
        return conditional(path) && condition !== undefined
          ? [[path, bytes, uploadCondition(condition)]]
          : [[path, bytes]];
      });
      const answers =
        wanted.length === 0 ? [] : ((await filesystem.uploadFiles?.(wanted, call)) ?? []);
      let next = 0;
      return files.map(([path], index) => {
        const found = known[index];
        if (found !== undefined)
          return rejected(path, {
            code: found.kind === "file" ? "already_exists" : "is_directory",
          });
        const answer = answers[next++];
        if (answer?.error !== null) return rejected(path, answer);
        const { version, writeId } = answer;
        return fulfilled({ version, writeId });
      });
    },
    remove: (files) =>
      mapConcurrently(files, WIDTH, ([path, version]) =>
        outcomeOf(async () => {
          const condition = version === undefined || !versioned(path) ? {} : { ifVersion: version };
          const removed = await filesystem.delete?.(path, { ...call, ...condition });
          if (removed === undefined) throw new VolumeError("unsupported", undefined, { path });
          if (removed.error === undefined) return true;
          if (removed.code === "not_found") return false;
          throw new VolumeError(removed.code, undefined, { path });
        }),
      ),
  };
}

/** What is at a path, without its content: by `stat`, or by the listing of its directory where a backend has none. */
async function standingAt(
  filesystem: Filesystem,
  path: string,
  call: CallOptions,
): Promise<Standing | undefined> {
  if (path === "/") return { kind: "directory" };
  const stated = await filesystem.stat?.(path, call);
  if (stated !== undefined && stated.code !== "unsupported") {
    if (stated.error === undefined) {
      const { is_dir, modified_at, version, writeId } = stated.info;
      const kind = is_dir === true ? "directory" : "file";
      return { kind, modifiedAt: modified_at, version, writeId };
    }
    if (stated.code === "not_found" || stated.code === "not_directory") return undefined;
    throw new VolumeError(stated.code, undefined, { path });
  }
  const listed = await filesystem.ls(parentOf(path), call);
  if (listed.error !== undefined) {
    if (listed.code === "not_found" || listed.code === "not_directory") return undefined;
    throw new VolumeError(listed.code, undefined, { path });
  }
  const found = listed.files.find((entry) => entry.path === path || entry.path === `${path}/`);
  if (found === undefined && !isComplete(listed)) throw incomplete(path);
  if (found === undefined) return undefined;
  const directory = found.is_dir === true || found.path.endsWith("/");
  return {
    kind: directory ? "directory" : "file",
    modifiedAt: found.modified_at,
    version: found.version,
  };
}

function uploadCondition({ ifAbsent, ifVersion }: NonNullable<VolumeUpload[2]>): UploadCondition {
  return ifVersion === undefined ? { ifAbsent: ifAbsent === true } : { ifVersion };
}

function fulfilled<T>(value: T): PromiseFulfilledResult<T> {
  return { status: "fulfilled", value };
}

/** What the four old codes of a batch mean where the exact one is missing. */
const EXACT: Readonly<Record<FileOperationError, ErrorCode>> = {
  file_not_found: "not_found",
  permission_denied: "permission_denied",
  is_directory: "is_directory",
  invalid_path: "invalid_path",
};

function rejected(
  path: string,
  answer: { error?: FileOperationError | null; code?: ErrorCode } | undefined,
): PromiseRejectedResult {
  const { error, code } = answer ?? {};
  const exact = code ?? (error === null || error === undefined ? "unavailable" : EXACT[error]);
  return { status: "rejected", reason: new VolumeError(exact, undefined, { path }) };
}
