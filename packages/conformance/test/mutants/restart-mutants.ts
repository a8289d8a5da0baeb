import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type VolumeFile } from "@fs/protocol/author";
import type { Mutant } from "./mutant.js";
import { MadeVersions, OwnVersions } from "./own-versions.js";
import { filesIn, type MethodsOf, pathsIn, restarted } from "./restarted.js";

class VersionsOfTheProcess extends OwnVersions {
  process = 1;

  protected override versionOf(_path: string, { version }: VolumeFile): string {
    return `${this.process}-${version}`;
  }
}

/** Listings in which entries are others, or none. */
function listingsWith(
  change: (entry: { path: string; size?: number }) => object | undefined,
): MethodsOf {
  return (inner) => {
    const changed = <T extends { files?: ReadonlyArray<{ path: string }> }>(answer: T): T =>
      answer.files === undefined
        ? answer
        : { ...answer, files: answer.files.flatMap((entry) => change(entry) ?? []) };
    return {
      ls: async (path, options) => changed(await inner.ls(path, options)),
      glob: async (pattern, path, options) => changed(await inner.glob(pattern, path, options)),
    };
  };
}

/** Bugs of what a process makes of the files that it finds when it begins. */
export const RESTART_MUTANTS: readonly Mutant[] = [
  restarted<MadeVersions>(
    "versions-begin-again",
    "F2",
    "The counter of versions begins again with each process.",
    () => {
      let count = 0;
      return {
        volume: new MadeVersions(() => `v${++count}`),
        begin: () => {
          count = 0;
        },
      };
    },
  ),
  restarted<MadeVersions>(
    "versions-of-what-is-there",
    "F2",
    "A process goes on counting from the greatest version of the files that are there.",
    () => {
      let count = 0;
      const given = new Map<string, number>();
      return {
        volume: new MadeVersions((path) => {
          given.set(path, ++count);
          return `v${count}`;
        }),
        begin: async (volume) => {
          count = Math.max(0, ...(await pathsIn(volume)).map((path) => given.get(path) ?? 0));
        },
      };
    },
  ),
  restarted<VersionsOfTheProcess>(
    "versions-of-the-process",
    "F2",
    "A file that nothing has changed has another version in each process.",
    () => ({
      volume: new VersionsOfTheProcess(),
      begin: (volume) => void volume.process++,
    }),
  ),
  restarted(
    "conditions-on-older-versions",
    "W5",
    "A version that this process has not given is no condition.",
    () => ({
      after: (inner) => {
        const given = new Set<string>();
        return {
          edit: async (path, old, to, all, options) => {
            const { ifVersion, ...rest } = options ?? {};
            const known = ifVersion !== undefined && given.has(ifVersion);
            const answer = await inner.edit(path, old, to, all, known ? options : rest);
            if (answer.version !== undefined) given.add(answer.version);
            return answer;
          },
        };
      },
    }),
  ),
  restarted(
    "index-without-hidden-files",
    "A7",
    "The index that a process makes of the files when it begins leaves hidden ones out.",
    () => {
      const hidden = new Set<string>();
      return {
        begin: async (volume) => {
          for (const path of await pathsIn(volume)) if (/\/\.[^/]*$/.test(path)) hidden.add(path);
        },
        after: listingsWith((entry) => (hidden.has(entry.path) ? undefined : entry)),
      };
    },
  ),
  restarted(
    "index-with-sizes-in-characters",
    "L2",
    "The index that a process makes of the files when it begins has the characters of a text as its size.",
    () => {
      const sizes = new Map<string, { bytes: number; characters: number }>();
      return {
        begin: async (volume) => {
          for (const [path, { bytes }] of await filesIn(volume)) {
            const characters = new TextDecoder().decode(bytes).length;
            sizes.set(path, { bytes: bytes.length, characters });
          }
        },
        after: listingsWith((entry) => {
          const indexed = sizes.get(entry.path);
          return indexed?.bytes === entry.size ? { ...entry, size: indexed?.characters } : entry;
        }),
      };
    },
  ),
  restarted(
    "empty-files-gone",
    "A7",
    "A process that begins takes an empty file for none.",
    () => ({
      begin: async (volume) => {
        for (const [path, { bytes }] of await filesIn(volume))
          if (bytes.length === 0) await volume.remove(path, {});
      },
    }),
  ),
  restarted(
    "removed-directories-back",
    "A7",
    "The log has the removal of a directory as that of a file, so that its files are back after a restart.",
    () => {
      const removed = new Map<string, VolumeFile>();
      const volume = new MemoryVolume();
      return {
        volume,
        before: (inner) => ({
          delete: async (path, options) => {
            const files = await filesIn(volume);
            const answer = await inner.delete(path, options);
            if (answer.error === undefined && !files.has(path))
              for (const [below, file] of files)
                if (below.startsWith(`${path}/`)) removed.set(below, file);
            return answer;
          },
        }),
        begin: async () => {
          const there = await pathsIn(volume);
          for (const [path, { bytes }] of removed) {
            const meets = there.some((other) => `${path}/`.startsWith(`${other}/`));
            if (!meets && !there.some((other) => other.startsWith(`${path}/`)))
              await volume.put(path, bytes, {});
          }
          removed.clear();
        },
      };
    },
  ),
  restarted("copies-gone", "A7", "The log does not have what a copy of a directory stores.", () => {
    const copies = new Map<string, string>();
    const volume = new MemoryVolume();
    return {
      volume,
      before: (inner) => ({
        copy: async (from, to, options) => {
          const earlier = await filesIn(volume);
          const answer = await inner.copy(from, to, options);
          if (answer.error === undefined && !earlier.has(from))
            for (const [path, { version }] of await filesIn(volume))
              if (earlier.get(path)?.version !== version) copies.set(path, version);
          return answer;
        },
      }),
      begin: async () => {
        for (const [path, { version }] of await filesIn(volume))
          if (copies.get(path) === version) await volume.remove(path, {});
      },
    };
  }),
  restarted(
    "multi-edits-by-their-first-edit",
    "A7",
    "The log has only the first edit of a `multiEdit`.",
    () => {
      const halves = new Map<string, { version: string | undefined; bytes: Uint8Array }>();
      const volume = new MemoryVolume();
      return {
        volume,
        before: (inner) => ({
          multiEdit: async (path, edits, options) => {
            const old = await volume.get(path);
            const answer = await inner.multiEdit(path, edits, options);
            if (answer.error !== undefined || old === undefined || edits.length < 2) return answer;
            const scratch = new VolumeBackend(new MemoryVolume());
            await scratch.uploadFiles([[path, old.bytes]]);
            await scratch.multiEdit(path, edits.slice(0, 1));
            const [half] = await scratch.downloadFiles([path]);
            if (half?.content != null)
              halves.set(path, { version: answer.version, bytes: half.content });
            return answer;
          },
        }),
        begin: async () => {
          for (const [path, { version, bytes }] of halves)
            if ((await volume.get(path))?.version === version) await volume.put(path, bytes, {});
        },
      };
    },
  ),
  restarted(
    "times-of-the-start",
    "F1",
    "After a restart `stat` says that a file was changed when the process began.",
    () => {
      const began = new Map<string, string>();
      let now = "";
      return {
        begin: async (volume) => {
          now = new Date(Date.now() + 1000).toISOString();
          for (const [path, { version }] of await filesIn(volume)) began.set(path, version);
        },
        after: (inner) => ({
          stat: async (path, options) => {
            const answer = await inner.stat(path, options);
            const isOld = answer.info !== undefined && began.get(path) === answer.info.version;
            return isOld ? { ...answer, info: { ...answer.info, modified_at: now } } : answer;
          },
        }),
      };
    },
  ),
  restarted(
    "removals-by-letters",
    "P4",
    "The log has the removed directory, and its replay removes all whose path begins with these letters.",
    () => {
      const removed: string[] = [];
      return {
        before: (inner) => ({
          delete: async (path, options) => {
            const answer = await inner.delete(path, options);
            if (answer.error === undefined) removed.push(path);
            return answer;
          },
        }),
        begin: async (volume) => {
          for (const path of await pathsIn(volume))
            if (removed.some((letters) => path.startsWith(letters))) await volume.remove(path, {});
        },
      };
    },
  ),
  restarted(
    "sweeps-what-looks-left-over",
    "P3",
    "A start removes what ends as the parts of its own uploads do.",
    () => ({
      begin: async (volume) => {
        for (const path of await pathsIn(volume))
          if (path.endsWith(".partial")) await volume.remove(path, {});
      },
    }),
  ),
];
