import { setImmediate as turn } from "node:timers/promises";
import { MemoryBackend, MemoryVolume, type EditResult } from "@fs/protocol";
import {
  VolumeBackend,
  type PutCondition,
  type RemoveCondition,
  type VolumeFile,
} from "@fs/protocol/author";
import { createHash } from "node:crypto";
import { faultyVolume, mutant, overlay, type Mutant } from "./mutant.js";

const METHODS = ["write", "edit", "multiEdit", "delete"] as const;

/** A storage whose versions are made of something that does not change with every change. */
class DerivedVersions extends MemoryVolume {
  readonly #versionOf: (path: string, file: VolumeFile) => string;

  constructor(versionOf: (path: string, file: VolumeFile) => string) {
    super();
    this.#versionOf = versionOf;
  }

  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(path);
    return file === undefined ? undefined : { ...file, version: this.#versionOf(path, file) };
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    { ifVersion, ...rest }: PutCondition,
  ): Promise<{ version: string }> {
    await super.put(path, bytes, { ...rest, ...(await this.#own(path, ifVersion)) });
    return { version: (await this.get(path))?.version ?? "" };
  }

  override async remove(path: string, { ifVersion }: RemoveCondition): Promise<boolean> {
    return super.remove(path, await this.#own(path, ifVersion));
  }

  // The derived version is compared; what the map counts is only passed on.
  async #own(path: string, ifVersion: string | undefined): Promise<RemoveCondition> {
    if (ifVersion === undefined) return {};
    const same = (await this.get(path))?.version === ifVersion;
    return { ifVersion: same ? ((await super.get(path))?.version ?? "") : "another" };
  }
}

/** A storage that counts the changes of a path, from one on each time it is made. */
class CountingVolume extends MemoryVolume {
  readonly #counts = new Map<string, number>();
  readonly #derived = new Map<string, string>();

  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(path);
    if (file === undefined) this.#counts.delete(path);
    return file === undefined ? undefined : { ...file, version: this.#derived.get(path) ?? "1" };
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const file = await this.get(path);
    if (condition.ifVersion !== undefined && file?.version !== condition.ifVersion)
      return super.put(path, bytes, { ifVersion: "another" });
    const { ifVersion: _, ...rest } = condition;
    await super.put(path, bytes, rest);
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    this.#derived.set(path, String(count));
    return { version: String(count) };
  }

  override async remove(path: string, { ifVersion }: RemoveCondition): Promise<boolean> {
    const file = await this.get(path);
    if (ifVersion !== undefined && file?.version !== ifVersion)
      return super.remove(path, { ifVersion: "another" });
    this.#counts.delete(path);
    return super.remove(path, {});
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
