import { randomUUID } from "node:crypto";
import type { AnyBackendProtocol } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";
import { formatChangeSet, parseChangeSet } from "../change-set.js";
import type { ChangeSet } from "../change.js";
import { fileAccess, jsonBytes, jsonOf } from "../store/file-access.js";
import { type Lease, oneLease, takeLease } from "./lease.js";
import type { ApplyReport, PathReport } from "./report.js";

/** What is being applied, so that it can be resumed after a crash. At most one change set at a time. */
export interface IntentLog {
  /** The change set that was begun and not finished. */
  open(signal?: AbortSignal): Promise<ChangeSet | undefined>;
  /** The right to apply; `conflict` while another process has it. */
  take(signal?: AbortSignal): Promise<Lease>;
  /** Stores a change set before its first change is made. `conflict` while another is open. */
  freeze(set: ChangeSet, signal?: AbortSignal): Promise<void>;
  /** What is known to have become of the changes of a set. */
  marks(id: string, signal?: AbortSignal): Promise<Map<string, PathReport>>;
  mark(id: string, reports: readonly PathReport[]): Promise<void>;
  /** Keeps the report and makes room for the next change set. */
  finish(report: ApplyReport): Promise<void>;
  /** The report of a change set that was finished. */
  report(id: string, signal?: AbortSignal): Promise<ApplyReport | undefined>;
}

export interface IntentLogOptions {
  /** Default `"/commits"`. */
  readonly directory?: string;
  /** Milliseconds after which the lease of a process that does not renew it is taken over. Default 10,000. */
  readonly leaseMs?: number;
}

/**
 * An intent log in a directory of any backend that stores on a condition. Throws a `TypeError` for one that does not.
 */
export function intentLog(backend: AnyBackendProtocol, options: IntentLogOptions = {}): IntentLog {
  const files = fileAccess(backend);
  const { directory = "/commits", leaseMs = 10_000 } = options;
  if (!files.guardedAt(`${directory}/open.json`))
    throw new TypeError("An intent log needs a backend with versions and conditional uploads.");
  const slot = `${directory}/open.json`;
  const owner = randomUUID();
  const log: IntentLog = {
    open: async (signal) => {
      const file = await files.get(slot, signal);
      return file === undefined ? undefined : parseChangeSet(new TextDecoder().decode(file.bytes));
    },
    take: oneLease((signal) => takeLease(files, `${directory}/lease.json`, owner, leaseMs, signal)),
    freeze: async (set, signal) => {
      try {
        const bytes = new TextEncoder().encode(formatChangeSet(set));
        await files.put(slot, bytes, { ifAbsent: true }, signal);
      } catch (error) {
        if (!VolumeError.isInstance(error) || error.code !== "already_exists") throw error;
        throw new VolumeError("conflict", "Other changes are being applied. Resume them first.");
      }
    },
    marks: async (id, signal) => {
      const names = await files.files(`${directory}/${id}`, "mark-*", signal);
      const paths = names.map(({ path }) => path);
      const marked = await files.getMany(paths, signal);
      return new Map(
        marked.flatMap((file, index) =>
          file === undefined ? [] : (jsonOf(paths[index] ?? "", file) as [string, PathReport][]),
        ),
      );
    },
    mark: async (id, reports) => {
      const entries = reports.map((report) => [report.path, report]);
      await files.put(`${directory}/${id}/mark-${randomUUID()}.json`, jsonBytes(entries), {
        ifAbsent: true,
      });
    },
    finish: async (report) => {
      await files.put(`${directory}/${report.id}/report.json`, jsonBytes(report));
      const open = await files.get(slot);
      if (open !== undefined && (await log.open())?.id === report.id)
        await files.remove(slot, open.version);
    },
    report: async (id, signal) => {
      const path = `${directory}/${id}/report.json`;
      const file = await files.get(path, signal);
      return file === undefined ? undefined : (jsonOf(path, file) as ApplyReport);
    },
  };
  return log;
}
