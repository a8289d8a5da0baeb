import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import type { RemoveCondition } from "@fs/protocol/author";
import { VolumeBackend } from "@fs/protocol/author";
import { faultyVolume, mutant, overlay, type Mutant } from "./mutant.js";

/** A storage that never forgets a directory. */
class GhostVolume extends MemoryVolume {
  override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const removed = await super.remove(path, condition);
    const cut = path.lastIndexOf("/");
    if (removed && cut > 0) await super.put(`${path.slice(0, cut)}/.keep`, new Uint8Array(), {});
    return removed;
  }
}

/** Rewrites the first argument of every method that takes a path. */
function misnamed(
  name: string,
  rule: string,
  bug: string,
  change: (path: unknown) => unknown,
): Mutant {
  return {
    name: `path/${name}`,
    rule,
    bug,
    create: () => {
      const inner = new MemoryBackend();
      const methods = ["ls", "read", "readRaw", "write", "edit", "multiEdit", "delete"] as const;
      const replaced = Object.fromEntries(
        methods.map((method) => [
          method,
          (path: unknown, ...rest: unknown[]): unknown =>
            Reflect.apply(inner[method], inner, [change(path), ...rest]),
        ]),
      );
      return overlay(inner, replaced);
    },
  };
}

export const TREE_MUTANTS: readonly Mutant[] = [
  mutant("delete/missing-succeeds", "D1", "Deleting nothing succeeds.", (inner) => ({
    delete: async (path, options) => {
      const result = await inner.delete(path, options);
      return result.code === "not_found" ? { path } : result;
    },
  })),
  mutant("delete/not-recursive", "D1", "A directory loses only its immediate files.", (inner) => ({
    delete: async (path, options) => {
      const listed = await inner.ls(path);
      if (listed.files === undefined) return inner.delete(path, options);
      for (const info of listed.files) if (info.is_dir !== true) await inner.delete(info.path);
      return { path };
    },
  })),
  mutant("delete/sibling-prefix", "P4", "Names that begin like the directory go too.", (inner) => ({
    delete: async (path, options) => {
      const result = await inner.delete(path, options);
      if (result.error !== undefined) return result;
      const rest = (await inner.glob("**", "/")).files ?? [];
      for (const info of rest) if (info.path.startsWith(path)) await inner.delete(info.path);
      return result;
    },
  })),
  faultyVolume(
    "delete/ghost-directories",
    "D2",
    "An emptied directory stays listed.",
    () => new GhostVolume(),
  ),
  mutant(
    "move/overwrites",
    "M1",
    "A file at the destination is replaced without being asked.",
    (inner) => ({
      move: (from, to, options) => inner.move(from, to, { ...options, overwrite: true }),
    }),
  ),
  mutant(
    "move/loses-on-failure",
    "M2",
    "A move that is refused has removed its source.",
    (inner) => ({
      move: async (from, to, options) => {
        const result = await inner.move(from, to, options);
        if (result.code === "already_exists") await inner.delete(from);
        return result;
      },
    }),
  ),
  mutant("move/copies", "M1", "A moved file stays where it was.", (inner) => ({
    move: (from, to, options) => inner.copy(from, to, options),
  })),
  mutant(
    "copy/overwrites",
    "M1",
    "A file at the destination is replaced without being asked.",
    (inner) => ({
      copy: (from, to, options) => inner.copy(from, to, { ...options, overwrite: true }),
    }),
  ),
  misnamed("relative-accepted", "P2", "A relative path is taken for an absolute one.", (path) =>
    typeof path === "string" && path !== "" && !path.startsWith("/") ? `/${path}` : path,
  ),
  misnamed("dotdot-resolved", "P2", "`..` is resolved.", (path) =>
    typeof path === "string" ? path.replace(/\/[^/]+\/\.\.(?=\/|$)/g, "") || "/" : path,
  ),
  misnamed("dotdot-in-names", "P3", "Two dots anywhere in a name are refused.", (path) =>
    typeof path === "string" && path.includes("..") && path.startsWith("/") ? "/../x" : path,
  ),
  misnamed("control-characters-dropped", "P2", "Control characters are dropped.", (path) =>
    // oxlint-disable-next-line no-control-regex
    typeof path === "string" ? path.replace(/[\u0000-\u001f\u007f]/g, "") : path,
  ),
  misnamed("unicode-composed", "P4", "Names are normalised to NFC.", (path) =>
    typeof path === "string" ? path.normalize("NFC") : path,
  ),
  misnamed("case-folded", "P4", "Names are lower-cased.", (path) =>
    typeof path === "string" ? path.toLowerCase() : path,
  ),
  misnamed("long-names-cut", "P2", "A name that is too long is cut.", (path) =>
    typeof path === "string"
      ? path
          .split("/")
          .map((segment) => segment.slice(0, 255))
          .join("/")
      : path,
  ),
  misnamed("spaces-trimmed", "P3", "Spaces at the end of a name vanish.", (path) =>
    typeof path === "string" && path.trim() !== "" ? path.trimEnd() : path,
  ),
  {
    name: "path/proto-keys",
    rule: "P3",
    bug: "`/__proto__` is lost, as in a plain object.",
    create: () => {
      class PlainObjectVolume extends MemoryVolume {
        override async put(...args: Parameters<MemoryVolume["put"]>): Promise<{ version: string }> {
          return args[0].includes("__proto__") ? { version: "0" } : super.put(...args);
        }
      }
      return new VolumeBackend(new PlainObjectVolume());
    },
  },
];
