import { failure, type MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

/** Below which directories a file has been replaced by a merge. */
async function replacedBy(
  inner: MemoryBackend,
  from: unknown,
  to: unknown,
  merge: () => ReturnType<MemoryBackend["copy"]>,
  counted: Set<string>,
): ReturnType<MemoryBackend["copy"]> {
  const before = typeof to === "string" ? ((await inner.glob("**", to)).files ?? []) : [];
  const copied = typeof from === "string" ? ((await inner.glob("**", from)).files ?? []) : [];
  const answer = await merge();
  if (answer.error !== undefined) return answer;
  const below = (path: string, top: unknown): string => path.slice(String(top).length);
  const names = new Set(copied.map(({ path }) => below(path, from)));
  for (const { path } of before)
    if (names.has(below(path, to)))
      for (let above = path; above.lastIndexOf("/") > 0;) {
        above = above.slice(0, above.lastIndexOf("/"));
        counted.add(above);
      }
  return answer;
}

/** Directories whose files are counted, where those that a merge replaces are counted wrongly. */
function miscounting(kind: "copy" | "move", how: "twice" | "as-gone"): Mutant {
  const bug = `A file that a ${kind} of a directory replaces is counted ${how === "twice" ? "twice" : "as gone"}.`;
  const twice: Mutant = mutant(`merge/${kind}-counts-${how}`, "D2", bug, (inner) => {
    const counted = new Set<string>();
    return {
      [kind]: (...args: Parameters<MemoryBackend["copy"]>) =>
        replacedBy(inner, args[0], args[1], () => inner[kind](...args), counted),
      ls: async (path, options) => {
        const answer = await inner.ls(path, options);
        if (path === undefined || !counted.has(path)) return answer;
        if (how === "twice") return answer.code === "not_found" ? { files: [] } : answer;
        const holds = answer.files?.filter((entry) => entry.is_dir !== true).length;
        const deep = (await inner.glob("**", path)).files?.length;
        return holds === 0 && deep === 1 ? failure("not_found", path) : answer;
      },
    };
  });
  return { ...twice, by: "delete/last-of-what-changed" };
}

/** Merges after which a directory stays for too long, or goes too early. */
export const MERGE_MUTANTS: readonly Mutant[] = [
  miscounting("copy", "twice"),
  miscounting("move", "twice"),
  miscounting("copy", "as-gone"),
  miscounting("move", "as-gone"),
];
