import { setImmediate as turn } from "node:timers/promises";
import { MemoryBackend, MemoryVolume, type EditResult } from "@fs/protocol";
import { VolumeBackend, type RemoveCondition, type VolumeFile } from "@fs/protocol/author";
import { createHash } from "node:crypto";
import { faultyVolume, mutant, overlay, type Mutant } from "./mutant.js";
import { OwnVersions } from "./own-versions.js";

const METHODS = ["write", "edit", "multiEdit", "delete"] as const;

/** A storage whose versions are made of something that does not change with every change. */
class DerivedVersions extends OwnVersions {
  readonly #versionOf: (path: string, file: VolumeFile) => string;

  constructor(versionOf: (path: string, file: VolumeFile) => string) {
    super();
    this.#versionOf = versionOf;
  }

  protected override versionOf(path: string, file: VolumeFile): string {
    return this.#versionOf(path, file);
  }
}

/** A storage that counts the changes of a path, from one on each time it is made. */
class CountingVolume extends OwnVersions {
  readonly #counts = new Map<string, number>();

  protected override versionOf(path: string): string {
    return String(this.#counts.get(path) ?? 1);
  }

  protected override stored(path: string): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
  }

  override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const removed = await super.remove(path, condition);
    if (removed) this.#counts.delete(path);
    return removed;
  }
}

function changed(options: unknown, change: (version: string) => object): unknown {
  if (typeof options !== "object" || options === null || !("ifVersion" in options)) return options;
  const { ifVersion, ...rest } = options;
  return { ...rest, ...change(String(ifVersion)) };
}

function perMethod(what: string, bug: string, change: (version: string) => object): Mutant[] {
  return METHODS.map((method) => ({
    name: `version/${method}-${what}`,
    rule: "W5",
    bug: `${method} ${bug}`,
    create: () => {
      const inner = new MemoryBackend();
      const call = inner[method] as (...args: unknown[]) => Promise<unknown>;
      return overlay(inner, {
        [method]: (...args: unknown[]) =>
          call.apply(
            inner,
            args.map((argument) => changed(argument, change)),
          ),
      });
    },
  }));
}

/** Versions that are ignored, refused, reused or out of date. */
export const VERSION_MUTANTS: readonly Mutant[] = [
  ...perMethod("ignored", "does not compare the version.", () => ({})),
  ...perMethod("always-refused", "refuses every version.", () => ({ ifVersion: "never" })),
  faultyVolume(
    "version/size",
    "W5",
    "The size is the version.",
    () => new DerivedVersions((_, { bytes }) => String(bytes.length)),
  ),
  faultyVolume(
    "version/second",
    "W5",
    "The second of the last change is the version.",
    () => new DerivedVersions((_, { modifiedAt }) => modifiedAt.slice(0, 19)),
  ),
  faultyVolume(
    "version/creation",
    "W5",
    "The time of creation is the version.",
    () => new DerivedVersions((_, { createdAt }) => String(createdAt)),
  ),
  faultyVolume(
    "version/first-bytes",
    "W5",
    "A hash of the last bytes is the version.",
    () =>
      new DerivedVersions((_, { bytes }) =>
        createHash("sha256").update(bytes.slice(-4)).digest("hex"),
      ),
  ),
  faultyVolume(
    "version/size-and-first-kilobyte",
    "F2",
    "The size and the first kilobyte are the version.",
    () =>
      new DerivedVersions((_, { bytes }) => {
        const hash = createHash("sha256").update(bytes.slice(0, 1024)).digest("hex");
        return `${bytes.length}-${hash}`;
      }),
  ),
  faultyVolume(
    "version/path",
    "W5",
    "A hash of the path is the version.",
    () => new DerivedVersions((path) => createHash("sha256").update(path).digest("hex")),
  ),
  faultyVolume(
    "version/reused",
    "W5",
    "A file that is made anew counts from one again.",
    () => new CountingVolume(),
  ),
  mutant("version/stale-from-read", "W5", "read gives the version it gave first.", (inner) => {
    const first = new Map<string, string>();
    return {
      read: async (path, ...rest) => {
        const result = await inner.read(path, ...rest);
        if (result.version === undefined) return result;
        if (!first.has(path)) first.set(path, result.version);
        return { ...result, version: first.get(path) ?? "" };
      },
    };
  }),
  mutant(
    "version/write-creates-at-a-version",
    "W5",
    "write with a version creates what is missing.",
    (inner) => ({
      write: async (path, content, options) => {
        const result = await inner.write(path, content, options);
        return result.code === "conflict" ? inner.write(path, content) : result;
      },
    }),
  ),
  ...(["edit", "multiEdit"] as const).map((method) =>
    mutant(
      `version/looked-at-before-${method}`,
      "W5",
      "The version is compared a turn before the edit, which is then made on any.",
      (inner) => ({
        [method]: async (path: string, ...rest: unknown[]) => {
          const options = rest.at(-1) as { ifVersion?: unknown } | undefined;
          const ifVersion = options?.ifVersion;
          const call = inner[method].bind(inner) as (...args: unknown[]) => Promise<EditResult>;
          if (typeof ifVersion !== "string" || (await inner.stat(path)).info?.version !== ifVersion)
            return call(path, ...rest);
          await turn();
          return call(path, ...rest.slice(0, -1), { ...options, ifVersion: undefined });
        },
      }),
    ),
  ),
  {
    name: "version/empty-is-none",
    rule: "W5",
    bug: "A version that is an empty text counts as none.",
    create: () => {
      const inner = new VolumeBackend(new MemoryVolume());
      return overlay(inner, {
        edit: (
          path: string,
          old: string,
          to: string,
          all?: boolean,
          options?: { ifVersion?: string },
        ) => inner.edit(path, old, to, all, options?.ifVersion === "" ? {} : options),
      });
    },
  },
];
