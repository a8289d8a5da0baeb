import type { Filesystem } from "@fs/protocol";
import type { Ends } from "./round.js";

/** What became of one piece of content. */
interface Token {
  readonly text: string;
  readonly place: "source" | "target";
  readonly role: "seeded" | "replaceable" | "rival" | "late" | "edit";
  /** The name of the file that it was written to. */
  readonly file: string;
}

/** How the relocation ended, for the audit. */
export interface Verdict {
  readonly kind: "move" | "copy";
  readonly overwrite: boolean;
  readonly succeeded: boolean;
  /** No end crashed, and every answer was certain. */
  readonly certain: boolean;
  readonly outcome: string;
}

let count = 0;

/**
 * What was acknowledged, by unique pieces of text, and where it is afterwards. Knows nothing of versions or of how files are
 * relocated: it reads the storages themselves.
 */
export class Ledger {
  readonly #tokens: Token[] = [];
  readonly #removed = new Set<string>();

  /** Creates a file with a piece of content of its own, and keeps it if that is acknowledged. */
  async create(
    end: Filesystem,
    path: string,
    place: Token["place"],
    role: Token["role"],
  ): Promise<void> {
    const text = `<${role}-${count++}>`;
    const { error } = await end.write(path, `${text}\nEND\n`, { ifAbsent: true });
    if (error === undefined) this.#tokens.push({ text, place, role, file: path });
  }

  /** Adds a piece of content to a file, and keeps it if that is acknowledged. */
  async edit(end: Filesystem, path: string, place: Token["place"]): Promise<void> {
    const text = `<edit-${count++}>`;
    const { error } = await end.edit(path, "END", `${text}\nEND`);
    if (error === undefined) this.#tokens.push({ text, place, role: "edit", file: path });
  }

  /** Removes a file; what it held may be gone from then on. */
  async remove(end: Filesystem, path: string): Promise<void> {
    const removed = await end.delete?.(path);
    if (removed?.error === undefined) this.#removed.add(path);
  }

  /** What is lost, and what is in more than one place though the relocation says that it moved. */
  async audit({ source, target }: Ends, verdict: Verdict): Promise<string[]> {
    const [atSource, atTarget] = await Promise.all([contentsOf(source), contentsOf(target)]);
    const problems: string[] = [];
    for (const token of this.#tokens) {
      const places = [...atSource, ...atTarget].filter((content) =>
        content.includes(token.text),
      ).length;
      const text = `${token.role} ${token.text} of ${token.file} (${verdict.kind}: ${verdict.outcome})`;
      if (places === 0 && !this.#mayBeGone(token, verdict, atTarget))
        problems.push(`lost: ${text}`);
      if (places > 1 && verdict.kind === "move" && verdict.certain && verdict.succeeded)
        problems.push(`in ${places} places: ${text}`);
    }
    return problems;
  }

  /** Content that a removal took, or that was replaced, as the call was told to, by what came from the source. */
  #mayBeGone({ place, file }: Token, { overwrite }: Verdict, atTarget: readonly string[]): boolean {
    if (this.#removed.has(file)) return true;
    if (place !== "target" || !overwrite) return false;
    const seeded = this.#tokens.find((token) => token.role === "seeded" && token.file === file);
    return seeded !== undefined && atTarget.some((content) => content.includes(seeded.text));
  }
}

async function contentsOf(end: Filesystem): Promise<string[]> {
  const found = await end.glob("**");
  if (found.error !== undefined) throw new Error(found.error);
  const read = (await end.downloadFiles?.(found.files.map(({ path }) => path))) ?? [];
  return read.map(({ path, content }) => {
    if (content === null) throw new Error(`${path} could not be read.`);
    return Buffer.from(content).toString();
  });
}
