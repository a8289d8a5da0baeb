import {
  failure,
  type BackendProtocolV2,
  type TransferOptions,
  MemoryBackend,
  MemoryVolume,
} from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { mutant, overlay, type Mutant } from "./mutant.js";

type Change = "delete" | "move";

function parentOf(path: string): string {
  return path.replace(/[^/]+\/?$/, "");
}

/** A listing with directories that are not there: they hold nothing, and `ls` of one says that it is missing. */
function haunted(inner: VolumeBackend, ghosts: ReadonlySet<string>): VolumeBackend["ls"] {
  return async (path, options) => {
    const answer = await inner.ls(path, options);
    if (answer.error !== undefined || options !== undefined) return answer;
    const here = `${path ?? "/"}/`.replace(/\/+$/, "/");
    const there = new Set(answer.files.map((file) => file.path));
    const more = [...ghosts].filter((ghost) => parentOf(ghost) === here && !there.has(ghost));
    const files = [...answer.files, ...more.map((ghost) => ({ path: ghost, is_dir: true }))];
    return { ...answer, files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
  };
}

/** A backend that remembers the directories that it has listed until a change of its own, unless that is `unknown`. */
function remembering(inner: VolumeBackend, unknown?: Change): BackendProtocolV2 {
  const known = new Set<string>();
  const list = haunted(inner, known);
  return overlay(inner, {
    withoutHooks: undefined,
    delete: async (...args: Parameters<VolumeBackend["delete"]>) => {
      const answer = await inner.delete(...args);
      if (unknown !== "delete") known.clear();
      return answer;
    },
    move: async (...args: Parameters<VolumeBackend["move"]>) => {
      const answer = await inner.move(...args);
      if (unknown !== "move") known.clear();
      return answer;
    },
    ls: async (...args: Parameters<VolumeBackend["ls"]>) => {
      const answer = await list(...args);
      for (const { path, is_dir } of answer.files ?? []) if (is_dir === true) known.add(path);
      return answer;
    },
  });
}

function pair(): readonly [BackendProtocolV2, BackendProtocolV2] {
  const volume = new MemoryVolume();
  return [remembering(new VolumeBackend(volume)), remembering(new VolumeBackend(volume))];
}

/** A backend that makes the directories of a copy first, and leaves them where the copy is refused. */
function preparing(inner: MemoryBackend): BackendProtocolV2 {
  const made = new Set<string>();
  return overlay(inner, {
    withoutHooks: undefined,
    ls: haunted(inner, made),
    copy: async (from: string, to: string, ...rest: [TransferOptions?]) => {
      const { files = [] } = await inner.ls(from);
      const answer = await inner.copy(from, to, ...rest);
      const directories = files.filter(({ is_dir }) => is_dir === true);
      if (answer.error !== undefined && rest[0]?.overwrite === true)
        for (const { path } of directories) made.add(to + path.slice(from.length));
      return answer;
    },
  });
}

/** Directories that are listed after their last file has gone. */
export const GHOST_MUTANTS: readonly Mutant[] = [
  ...(["delete", "move"] as const).map((change): Mutant => ({
    name: `ls/ghost-after-${change}`,
    rule: "D2",
    bug: `A directory that was listed stays listed after ${change} took its last file.`,
    by: `${change}/ghosts-once-listed`,
    create: () => remembering(new MemoryBackend(), change),
  })),
  {
    name: "copy/ghosts-of-a-refused-copy",
    rule: "D2",
    bug: "The directories that a refused copy has made stay.",
    by: "copy/parts-refused-leave-no-ghosts",
    create: () => preparing(new MemoryBackend()),
  },
  {
    name: "ls/ghost-of-a-peer",
    rule: "D2",
    bug: "A directory that was listed stays listed after another client took its last file.",
    by: "peer/delete-directory-seen-by-peer",
    create: () => pair()[0],
    pair,
  },
  {
    ...mutant(
      "ls/ghost-of-what-is-replaced",
      "D2",
      "A file that is replaced is counted twice.",
      (inner) => {
        const counts = new Map<string, number>();
        const ghosts = new Set<string>();
        return {
          uploadFiles: async (...args) => {
            const answers = await inner.uploadFiles(...args);
            for (const { path, error } of answers) {
              const parent = parentOf(path);
              if (error === null) counts.set(parent, (counts.get(parent) ?? 0) + 1);
            }
            return answers;
          },
          delete: async (path, options) => {
            const answer = await inner.delete(path, options);
            if (answer.error !== undefined) return answer;
            const parent = parentOf(answer.path);
            const count = (counts.get(parent) ?? 1) - 1;
            counts.set(parent, count);
            if (count > 0) ghosts.add(parent);
            else ghosts.delete(parent);
            return answer;
          },
          ls: haunted(inner, ghosts),
        };
      },
    ),
    by: "delete/ghosts-once-listed",
  },
  {
    ...mutant(
      "stat/remembers-missing-directories",
      "F1",
      "That nothing is at a path is kept until a file is written there, and not until a directory is made.",
      (inner) => {
        const missing = new Set<string>();
        return {
          stat: async (path, options) => {
            const bare = path.replace(/\/+$/, "");
            if (missing.has(bare)) return failure("not_found", path);
            const answer = await inner.stat(path, options);
            if (answer.code === "not_found") missing.add(bare);
            return answer;
          },
          write: async (path, ...rest) => {
            missing.delete(path);
            return inner.write(path, ...rest);
          },
        };
      },
    ),
    by: "path/new-directories",
  },
];
