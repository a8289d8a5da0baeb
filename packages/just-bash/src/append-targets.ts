import type { Outcome } from "@fs/protocol";
import { basenameOf } from "@fs/protocol/author";
import type { LoadedFile } from "@fs/protocol/bridge";

/** What the operator is followed by, up to where another word may begin. */
const OPERANDS = />>\s*([^\s;&|()<>]+)/g;

/** What may stand for any name. */
const NOT_LITERAL = /[$`'"\\*?[{~]/;

/** Files that are kept: a line of commands opens several at once, and hardly ever more. */
const MOST = 16;

/**
 * The files that a script may append to by `>>`. The shell looks at such a file, opens it, and only then has the content: to
 * read the file at the look spares a read of its own.
 */
export class AppendTargets {
  readonly #names = new Set<string>();
  #mayBeAny = false;
  readonly #seen = new Map<string, Outcome<LoadedFile>>();

  addScript(script: string): void {
    for (const [, operand = ""] of script.matchAll(OPERANDS)) {
      if (NOT_LITERAL.test(operand)) this.#mayBeAny = true;
      else this.#names.add(basenameOf(operand));
    }
  }

  mayBe(path: string): boolean {
    return this.#mayBeAny || this.#names.has(basenameOf(path));
  }

  saw(path: string, file: Outcome<LoadedFile>): void {
    this.#seen.delete(path);
    this.#seen.set(path, file);
    const [oldest] = this.#seen.size > MOST ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Whether a file is there that was read ahead. */
  isFile(path: string): boolean {
    const seen = this.#seen.get(path);
    return seen !== undefined && seen.error === undefined;
  }

  /** What was last seen of a file, once. */
  take(path: string): Outcome<LoadedFile> | undefined {
    const file = this.#seen.get(path);
    this.#seen.delete(path);
    return file;
  }
}
