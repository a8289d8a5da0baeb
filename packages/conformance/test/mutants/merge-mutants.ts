import { failure, type MemoryBackend } from "@fs/protocol";
import { ancestorsOf } from "@fs/protocol/author";
import { mutant, type Mutant } from "./mutant.js";

/** Makes a merge, and counts the directories above each file that it replaces. */
async function counting(
  inner: MemoryBackend,
  [from, to, ...rest]: Parameters<MemoryBackend["copy"]>,
  merge: MemoryBackend["copy"],
  counted: Set<string>,
): ReturnType<MemoryBackend["copy"]> {
  const filesIn = async (path: unknown): Promise<string[]> =>
    typeof path === "string" ? ((await inner.glob("**", path)).files ?? []).map((f) => f.path) : [];
  const below = (path: string, top: unknown): string => path.slice(String(top).length);
  const names = new Set((await filesIn(from)).map((path) => below(path, from)));
  const replaced = (await filesIn(to)).filter((path) => names.has(below(path, to)));
  const answer = await merge(from, to, ...rest);
  if (answer.error === undefined)
    for (const above of replaced.flatMap((path) => ancestorsOf(path))) counted.add(above);
  return answer;
}

/** Directories whose files are counted, where those that a merge replaces are counted wrongly. */
function miscounting(kind: "copy" | "move", how: "twice" | "as-gone"): Mutant {
  const bug = `A file that a ${kind} of a directory replaces is counted ${how === "twice" ? "twice" : "as gone"}.`;
  const miscounted: Mutant = mutant(`merge/${kind}-counts-${how}`, "D2", bug, (inner) => {
    const counted = new Set<string>();
    return {
      [kind]: (...args: Parameters<MemoryBackend["copy"]>) =>
        counting(inner, args, inner[kind].bind(inner), counted),
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
  return { ...miscounted, by: "delete/last-of-what-changed" };
}

/** Merges after which a directory stays for too long, or goes too early. */
export const MERGE_MUTANTS: readonly Mutant[] = [
  miscounting("copy", "twice"),
  miscounting("move", "twice"),
  miscounting("copy", "as-gone"),
  miscounting("move", "as-gone"),
];
