import { MemoryBackend, MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import {
  VolumeBackend,
  type PutCondition,
  type Volume,
  type VolumeFile,
} from "@fs/protocol/author";
import { faultyVolume, mutant, type Mutant } from "./mutant.js";

/** A storage that keeps no file and directory apart. */
class CollidingVolume extends MemoryVolume implements Volume {
  readonly collisions = "allowed";
}

/** A storage that takes the last change for the creation. */
class ForgetfulVolume extends MemoryVolume {
  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(path);
    return file === undefined ? undefined : { ...file, createdAt: file.modifiedAt };
  }
}

/** A storage that looks whether a file is there, and stores it a moment later. */
class CheckThenPutVolume extends MemoryVolume {
  override async put(
    path: string,
    bytes: Uint8Array,
    { ifAbsent, ...rest }: PutCondition,
  ): Promise<{ version: string }> {
    if (ifAbsent === true && (await this.get(path)) !== undefined)
      return super.put(path, bytes, { ifAbsent });
    await new Promise((resolve) => setImmediate(resolve));
    return super.put(path, bytes, rest);
  }
}

/** A storage that ignores versions. */
class UnversionedVolume extends MemoryVolume {
  override async put(
    path: string,
    bytes: Uint8Array,
    { ifVersion: _, ...rest }: PutCondition,
  ): Promise<{ version: string }> {
    await new Promise((resolve) => setImmediate(resolve));
    return super.put(path, bytes, rest);
  }
}

/** A storage whose files are half written for a while. */
class TornVolume extends MemoryVolume {
  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const { version } = await super.put(path, bytes.subarray(0, bytes.length >> 1), condition);
    await new Promise((resolve) => setImmediate(resolve));
    const whole = await super.put(path, bytes, {});
    return { version: whole.version ?? version };
  }
}

function queueless(volume: () => Volume): () => BackendProtocolV2 {
  // One backend per call: nothing in the process puts the mutations of a path in a row.
  return () => {
    const shared = volume();
    const fresh = (): VolumeBackend => new VolumeBackend(shared);
    return new Proxy(fresh(), {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const one = fresh();
          return Reflect.apply(value, one, args);
        };
      },
    });
  };
}

export const WRITE_MUTANTS: readonly Mutant[] = [
  mutant("write/overwrites", "W1", "An existing file is replaced.", (inner) => ({
    write: async (path, content, options) => {
      const result = await inner.write(path, content, options);
      if (result.code !== "already_exists") return result;
      await inner.uploadFiles([[path, new TextEncoder().encode(content)]]);
      return { path };
    },
  })),
  mutant("write/appends-newline", "W3", "A missing final newline is added.", (inner) => ({
    write: (path, content, options) =>
      inner.write(
        path,
        typeof content !== "string" || content.endsWith("\n") || content === ""
          ? content
          : `${content}\n`,
        options,
      ),
  })),
  mutant("write/normalises-line-ends", "W3", "CRLF is stored as LF.", (inner) => ({
    write: (path, content, options) =>
      inner.write(
        path,
        typeof content === "string" ? content.replaceAll("\r\n", "\n") : content,
        options,
      ),
  })),
  mutant(
    "write/repairs-surrogates",
    "W3",
    "Half of a surrogate pair is stored as U+FFFD.",
    (inner) => ({
      write: (path, content, options) =>
        inner.write(path, typeof content === "string" ? content.toWellFormed() : content, options),
    }),
  ),
  mutant("write/trims", "W3", "White space at the end is dropped.", (inner) => ({
    write: (path, content, options) =>
      inner.write(path, typeof content === "string" ? content.trimEnd() : content, options),
  })),
  mutant("write/ignores-version", "W5", "`ifVersion` has no effect.", (inner) => ({
    write: async (path, content, options) => {
      if (options?.ifVersion === undefined) return inner.write(path, content, options);
      await inner.uploadFiles([[path, new TextEncoder().encode(content)]]);
      return { path };
    },
  })),
  mutant(
    "write/ignores-abort",
    "A8",
    "A call whose signal has fired still takes effect.",
    (inner) => ({
      write: (path, content) => inner.write(path, content),
    }),
  ),
  mutant(
    "write/acknowledges-nothing",
    "A7",
    "Every tenth write is acknowledged and dropped.",
    (inner) => {
      let count = 0;
      return {
        write: async (path, content, options) =>
          ++count % 10 === 0 && content !== "" ? { path } : inner.write(path, content, options),
      };
    },
  ),
  faultyVolume(
    "write/over-directories",
    "W2",
    "A file may stand where a directory is.",
    () => new CollidingVolume(),
  ),
  faultyVolume(
    "write/forgets-creation",
    "W7",
    "An edit resets `created_at`.",
    () => new ForgetfulVolume(),
  ),
  {
    ...faultyVolume(
      "write/check-then-put",
      "W4",
      "Creation is a look and then a store.",
      () => new CheckThenPutVolume(),
    ),
    create: queueless(() => new CheckThenPutVolume()),
  },
  {
    ...faultyVolume(
      "edit/lost-update",
      "E7",
      "An edit reads and then stores, whatever came in between.",
      () => new UnversionedVolume(),
    ),
    create: queueless(() => new UnversionedVolume()),
  },
  faultyVolume("write/torn", "A7", "Readers see half of a write.", () => new TornVolume()),
  {
    name: "storage/shared",
    rule: "A7",
    bug: "All namespaces share their files.",
    create: () => SHARED,
  },
];

const SHARED = new MemoryBackend();
