import { createHash } from "node:crypto";
import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import type { FileModel } from "../model/file-model.js";
import { show } from "../report/render.js";
import { cornerBytes, cornerText, wordsOf, type Manner } from "./corner-contents.js";
import { namesOf, resemblingName } from "./corner-names.js";
import type { Dice } from "./dice.js";

const encoder = new TextEncoder();

/** Bytes that a file of an exploration may have: beyond, every call would take its time, and limits are no concern here. */
const MOST_BYTES = 80 * 1024;

/** Names below the directory of an exploration that a new path has at most. */
const DEEPEST = 6;

/** Where one exploration is: its own directory, what should be there, who calls, and the versions that were seen. */
export class Exploration {
  readonly context: CaseContext;
  readonly model: FileModel;
  /** The directory of the exploration. */
  readonly base: string;
  readonly clients: readonly GuardedBackend[];
  readonly manner: Manner;
  readonly #names: readonly string[];
  /** Bytes that a file may have. */
  readonly mostBytes: number;
  readonly #mostPathBytes: number;
  /** Of each path: every version that was seen, with the digest of the content that it names. */
  readonly #versions = new Map<string, Map<string, string>>();
  readonly #current = new Map<string, string>();
  /** Paths at which something was that is not there any more. */
  readonly #former: string[] = [];

  constructor(
    context: CaseContext,
    { model, base, clients }: Pick<Exploration, "model" | "base" | "clients">,
    dice: Dice,
  ) {
    this.context = context;
    this.model = model;
    this.base = base;
    this.clients = clients;
    this.manner = { words: wordsOf(dice), large: dice.once(4) };
    this.#names = namesOf(dice, context.profile.content === "bytes");
    const { fileBytes = MOST_BYTES, pathBytes = 4096 } = context.profile.limits;
    this.mostBytes = Math.min(fileBytes, MOST_BYTES);
    this.#mostPathBytes = pathBytes;
  }

  /** The files that are there, sorted. */
  files(): string[] {
    return this.model.below(this.base);
  }

  /** A file that is there, if any. */
  file(dice: Dice): string | undefined {
    const files = this.files();
    return files.length === 0 ? undefined : dice.pick(files);
  }

  /** A directory that holds files, the one of the exploration included. */
  directory(dice: Dice): string {
    const file = this.file(dice) ?? `${this.base}/a`;
    const names = file.slice(this.base.length).split("/").slice(1, -1);
    return [this.base, ...names.slice(0, dice.below(names.length + 1))].join("/");
  }

  /** A path at which a file could be: beside others, deep down, or looking like one that is there. */
  newPath(dice: Dice): string {
    const former = this.#former.filter((path) => !this.model.isFile(path));
    if (former.length > 0 && dice.once(5)) return dice.pick(former);
    const directory = this.directory(dice);
    const depth = directory.slice(this.base.length).split("/").length - 1;
    const file = this.file(dice);
    const name = (): string => dice.pick(this.#names);
    const deeper = dice.once(6) && depth < DEEPEST - 2 ? 1 + dice.below(2) : 0;
    const names = Array.from({ length: deeper }, name);
    const last = file !== undefined && dice.once(7) ? resemblingName(dice, nameOf(file)) : name();
    const path = [directory, ...names, last].join("/");
    return this.isPath(path) ? path : `${this.base}/a`;
  }

  /** A file that is there, or once in so many times another path. */
  anyPath(dice: Dice, otherInTimes = 8): string {
    return (dice.once(otherInTimes) ? undefined : this.file(dice)) ?? this.newPath(dice);
  }

  /** A text for a file. */
  text(dice: Dice): string {
    return cornerText(dice, this.manner, this.mostBytes);
  }

  /** The bytes of a file: text as well, and no others where a storage keeps nothing else. */
  newBytes(dice: Dice): Uint8Array {
    return this.context.profile.content === "bytes"
      ? cornerBytes(dice, this.manner, this.mostBytes)
      : encoder.encode(this.text(dice));
  }

  /** Whether a path is one by P2, within the limit of the storage. */
  isPath(path: string): boolean {
    const names = path.split("/").slice(1);
    return (
      encoder.encode(path).length <= this.#mostPathBytes &&
      path.isWellFormed() &&
      names.every(
        (name) =>
          name !== "" &&
          name !== "." &&
          name !== ".." &&
          name !== "~" &&
          encoder.encode(name).length <= 255,
      )
    );
  }

  /** What the model holds at a path. */
  bytes(path: string): Uint8Array {
    return this.model.files.get(path) ?? new Uint8Array();
  }

  /** F2: takes down the version that an answer gives of a content, and asserts that it never named another one. */
  know(path: string, bytes: Uint8Array, version: unknown, what: string): void {
    if (typeof version !== "string") return;
    const digest = createHash("sha256").update(bytes).digest("hex");
    const seen = this.#versions.get(path) ?? new Map<string, string>();
    this.#versions.set(path, seen);
    this.context.check.that(
      (seen.get(version) ?? digest) === digest,
      `The version ${show(version)} that ${what} gives of ${show(path)} was that of another content before.`,
      "F2",
    );
    const current = this.#current.get(path);
    this.context.check.that(
      current === undefined || current === version,
      `The version that ${what} gives of ${show(path)} is ${show(version)}, but it was ${show(current)}, and the file has not been changed.`,
      "F2",
    );
    seen.set(version, digest);
    this.#current.set(path, version);
  }

  /** Takes down that a file, or all files below a directory, are about to go: their paths are used again. */
  leaves(path: string): void {
    this.#former.push(...(this.model.isFile(path) ? [path] : this.model.below(path)));
  }

  /** Forgets what the version of a path, and of all below it, was. */
  changed(path: string): void {
    for (const known of this.#current.keys())
      if (known === path || known.startsWith(`${path}/`)) this.#current.delete(known);
  }

  /** The version that a file has, where one was seen since it was changed last. */
  rightVersion(path: string): string | undefined {
    return this.#current.get(path);
  }

  /** A version of a path that named a content other than the one that is there. */
  staleVersion(path: string): string | undefined {
    const digest = createHash("sha256").update(this.bytes(path)).digest("hex");
    for (const [version, named] of this.#versions.get(path) ?? [])
      if (named !== digest) return version;
    return undefined;
  }
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Another spelling of a path, with slashes and dots that mean nothing (P1). */
export function respelled(dice: Dice, path: string, isDirectory = false): string {
  const end = isDirectory && dice.once(4) ? "/" : "";
  if (!dice.once(5)) return path + end;
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const at = dice.pick(slashes);
  const respelt = path.slice(0, at) + dice.pick(["//", "/./", "///", "/.//"]) + path.slice(at + 1);
  return respelt + end;
}
