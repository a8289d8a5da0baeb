import type { Answer, Intent } from "./journal.js";
import type { Findings } from "./findings.js";
import { textOf, tokenOf } from "./token-text.js";

/** A token, or `null` for no file. */
type Content = string | null;
type Verdict = Answer["verdict"];

/**
 * What may be at the paths that one stream of calls has to itself, followed from call to call. A call that was done leaves one
 * possibility, a refused one changes nothing, and an unknown one adds to what was possible before.
 */
export class OwnFiles {
  readonly #possible = new Map<string, Set<Content>>();
  /** Content that is at one of two paths at least, and at one of them only if the move was done. */
  readonly #moved: { token: string; from: string; to: string; verdict: Verdict }[] = [];
  /** Content whose removal was asked for, whatever became of it. */
  readonly #removed = new Set<Content>();
  readonly #findings: Findings;
  readonly #where: string;

  constructor(findings: Findings, where: string) {
    this.#findings = findings;
    this.#where = where;
  }

  /** Takes the next call into account. */
  follow(intent: Intent, { verdict, code, found }: Answer): void {
    const before = this.#at(intent.path);
    const refusedAs = verdict === "refused" ? code : undefined;
    switch (intent.op) {
      case "create":
        if (refusedAs === "already_exists" && isOnly(before, null))
          this.#untrue(intent, "refused as already there, and nothing was there");
        this.#change(intent.path, intent.token, verdict);
        break;
      case "edit":
        if (refusedAs !== undefined) this.#expectThere(intent, before, refusedAs);
        this.#change(intent.path, intent.token, verdict);
        break;
      case "delete":
        if (refusedAs !== undefined) this.#expectThere(intent, before, refusedAs);
        if (verdict !== "refused") for (const content of before) this.#removed.add(content);
        this.#change(intent.path, null, verdict);
        break;
      case "move":
      case "copy":
        if (refusedAs !== undefined && intent.names === undefined)
          this.#expectThere(intent, before, refusedAs);
        for (const name of intent.names ?? [""]) this.#relocate(intent, name, verdict);
        break;
      case "read":
        if (verdict === "done" && !before.has(String(found)))
          this.#untrue(intent, `answered ${String(found)}, not ${show(before)}`);
        if (refusedAs !== undefined) this.#expectThere(intent, before, refusedAs);
        break;
      case "list":
        if (verdict === "done" && Array.isArray(found)) this.#compareListing(intent, found);
        break;
      case "open":
      case "append":
      case "race":
        throw new Error(`${intent.path} is a path that processes share`);
    }
  }

  /** Compares with what is stored at the end. */
  audit(stored: ReadonlyMap<string, string>): void {
    for (const [path, possible] of this.#possible) {
      const text = stored.get(path);
      const content = text === undefined ? null : tokenOf(text);
      if (possible.has(content)) continue;
      const kind = possible.has(null) ? "untrue" : "lost";
      this.#findings[kind].push(
        `${this.#where} ${path} holds ${content ?? "nothing"}, not ${show(possible)}`,
      );
    }
    for (const { token, from, to, verdict } of this.#moved) {
      const places = [from, to].filter((path) => stored.get(path) === textOf(token)).length;
      if (places === 0 && !this.#removed.has(token))
        this.#findings.lost.push(`${this.#where} ${token} is at neither ${from} nor ${to}`);
      if (places === 2 && verdict === "done")
        this.#findings.doubled.push(`${this.#where} ${token} is at ${from} and at ${to}`);
    }
  }

  #relocate(intent: Intent & { op: "move" | "copy" }, name: string, verdict: Verdict): void {
    const below = (path: string): string => (name === "" ? path : `${path}/${name}`);
    const [from, to] = [below(intent.path), below(intent.to)];
    const contents = [...this.#at(from)];
    if (verdict === "refused") return;
    const [token] = contents;
    if (intent.op === "move" && contents.length === 1 && typeof token === "string")
      this.#moved.push({ token, from, to, verdict });
    this.#set(to, verdict === "done" ? contents : [...this.#at(to), ...contents]);
    if (intent.op === "move") this.#change(from, null, verdict);
  }

  #expectThere(intent: Intent, before: ReadonlySet<Content>, code: string): void {
    if ((code === "not_found" || code === "no_match") && !before.has(null))
      this.#untrue(intent, `answered ${code}, and ${show(before)} was there`);
  }

  #compareListing(intent: Intent, listed: readonly string[]): void {
    const prefix = `${intent.path}/`;
    for (const [path, possible] of this.#possible) {
      if (!path.startsWith(prefix)) continue;
      const [child = ""] = path.slice(prefix.length).split("/");
      const isFile = prefix + child === path;
      const shown = listed.includes(isFile ? path : `${prefix}${child}/`);
      if (!shown && !possible.has(null)) this.#untrue(intent, `did not list ${path}`);
      if (shown && isFile && isOnly(possible, null)) this.#untrue(intent, `listed ${path}`);
    }
  }

  #at(path: string): ReadonlySet<Content> {
    return this.#possible.get(path) ?? new Set([null]);
  }

  #change(path: string, content: Content, verdict: Verdict): void {
    if (verdict === "done") this.#set(path, [content]);
    else if (verdict === "unknown") this.#set(path, [...this.#at(path), content]);
    else this.#set(path, this.#at(path));
  }

  #set(path: string, contents: Iterable<Content>): void {
    this.#possible.set(path, new Set(contents));
  }

  #untrue(intent: Intent, what: string): void {
    this.#findings.untrue.push(`${this.#where} ${intent.op} ${intent.path} ${what}`);
  }
}

function isOnly(possible: ReadonlySet<Content>, content: Content): boolean {
  return possible.size === 1 && possible.has(content);
}

function show(possible: ReadonlySet<Content>): string {
  return [...possible].map((content) => content ?? "nothing").join(" or ");
}
