import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { MemoryBackend, UploadFile } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { mutant, type Mutant } from "./mutant.js";
import { MadeVersions } from "./own-versions.js";

const decoder = new TextDecoder();

/** The hash of a text. */
function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function versioned(
  name: string,
  rule: string,
  bug: string,
  by: string,
  volume: () => MadeVersions,
): Mutant {
  return { name: `version/${name}`, rule, bug, by, create: () => new VolumeBackend(volume()) };
}

function hashing(name: string, bug: string, text: (bytes: Uint8Array) => string): Mutant {
  return versioned(
    name,
    "F2",
    bug,
    "version/of-like-contents",
    () => new MadeVersions((_, bytes) => hash(text(bytes))),
  );
}

/** A mutant that takes the condition of each file of a batch from where `from` says. */
function ofManyConditions(
  name: string,
  bug: string,
  from: (files: readonly UploadFile[], n: number) => UploadFile | undefined,
): Mutant {
  const made = mutant(name, "T3", bug, (inner) => ({
    uploadFiles: async (files, options) =>
      inner.uploadFiles(
        files.map(([path, bytes], n) => {
          const condition = from(files, n)?.[2];
          return condition === undefined ? [path, bytes] : [path, bytes, condition];
        }),
        options,
      ),
  }));
  return { ...made, by: "upload/conditions-of-many" };
}

/** A counter per storage. */
function counter(most = Infinity): () => string {
  let count = 0;
  return () => String(++count % most);
}

/** Versions that come again or are taken for others, and conditions that are judged too early. */
export const COUNTED_MUTANTS: readonly Mutant[] = [
  hashing("blind-to-line-ends", "The text with LF is hashed.", (bytes) =>
    Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n"),
  ),
  hashing("blind-to-forms", "The text in NFC is hashed.", (bytes) =>
    Buffer.from(bytes).toString("utf8").normalize("NFC"),
  ),
  hashing("of-decoded-bytes", "What a decoder makes of the bytes is hashed.", (bytes) =>
    decoder.decode(bytes),
  ),
  versioned("of-one-byte", "F2", "The counter begins anew at 256.", "growth/many-changes", () => {
    const counts = new Map<string, () => string>();
    return new MadeVersions((path) => {
      const next = counts.get(path) ?? counter(256);
      counts.set(path, next);
      return next();
    });
  }),
  versioned("part-is-enough", "W5", "The beginning is compared.", "growth/many-changes", () => {
    const next = counter();
    return new MadeVersions(next, (version, given) => version.startsWith(given));
  }),
  versioned("end-is-enough", "W5", "The end is compared.", "growth/many-changes", () => {
    const next = counter();
    return new MadeVersions(next, (version, given) => version.endsWith(given));
  }),
  {
    ...mutant(
      "version/kept-beneath",
      "F2",
      "What a move or a copy replaces leaves its version.",
      (inner) => {
        const kept = new Map<string, string>();
        const over =
          (method: "move" | "copy"): MemoryBackend["move"] =>
          async (from, to, options) => {
            const { version } = await inner.read(to);
            const result = await inner[method](from, to, options);
            if (result.error === undefined && version !== undefined) kept.set(to, version);
            return result;
          };
        return {
          move: over("move"),
          copy: over("copy"),
          read: async (path, ...rest) => {
            const result = await inner.read(path, ...rest);
            const version = kept.get(path);
            return result.error === undefined && version !== undefined
              ? { ...result, version }
              : result;
          },
        };
      },
    ),
    by: "version/of-relocation",
  },
  {
    ...mutant("edit/fills-unguarded", "E7", "An empty file is filled as it is.", (inner) => ({
      edit: async (path, old, text, all, options) => {
        if (old !== "" || (await inner.readRaw(path)).data?.content !== "")
          return inner.edit(path, old, text, all, options);
        await turn();
        const [stored] = await inner.uploadFiles([[path, new TextEncoder().encode(text)]]);
        return { path, occurrences: 1, version: stored?.version ?? "" };
      },
    })),
    by: "conc/same-edit",
  },
  {
    ...mutant(
      "upload/judges-batches-first",
      "T3",
      "The conditions of a batch are judged, and then all is stored.",
      (inner) => ({
        uploadFiles: async (files, options) => {
          if (files.length < 2) return inner.uploadFiles(files, options);
          const bare: Array<[string, Uint8Array]> = [];
          for (const [path, bytes, condition] of files) {
            const { version } = await inner.read(path);
            const absent = condition?.ifAbsent !== true || version === undefined;
            const same = condition?.ifVersion === undefined || condition.ifVersion === version;
            if (!absent || !same) return inner.uploadFiles(files, options);
            bare.push([path, bytes]);
          }
          await turn();
          return inner.uploadFiles(bare, options);
        },
      }),
    ),
    by: "conc/batch-conditions",
  },
  ofManyConditions(
    "upload/conditions-of-the-first-part",
    "Conditions behind the hundredth file of a batch are lost.",
    (files, n) => (n < 100 ? files[n] : undefined),
  ),
  ofManyConditions(
    "upload/conditions-by-place-in-part",
    "The conditions of the first hundred files hold for each hundred.",
    (files, n) => files[n % 100],
  ),
];
