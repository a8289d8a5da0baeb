import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const encoder = new TextEncoder();

/** Ways to write `/d/e/a.txt`, by what stands for its slashes. */
const SLASHES = ["//", "///", "/./", "/././", "/././././", "/.//", "//./", "/.//./"];

/** A call on a path, which is written one way or another. */
type Call = readonly [name: string, call: (path: string) => Promise<Answered | undefined>];

async function firstOf(batch: Promise<readonly Answered[]>): Promise<Answered | undefined> {
  return (await batch)[0];
}

/** Everything that a file goes through, in this order, from its making to its end. */
function lifeOf(context: CaseContext): Call[] {
  const { backend, profile } = context;
  return [
    ["write", (path) => backend.write(path, "one\ntwo\n")],
    ["read", (path) => backend.read(path, 1, 1)],
    ["readRaw", (path) => backend.readRaw(path)],
    ["edit", (path) => backend.edit(path, "one", "1")],
    ...(profile.multiEdit
      ? ([["multiEdit", (path) => backend.multiEdit(path, [{ old: "two", new: "2" }])]] as Call[])
      : []),
    ...(profile.transfer
      ? ([
          ["uploadFiles", (path) => firstOf(backend.uploadFiles([[path, encoder.encode("3\n")]]))],
          ["downloadFiles", (path) => firstOf(backend.downloadFiles([path]))],
        ] as Call[])
      : []),
    ...(hasFeature(context, "stat")
      ? ([["stat", (path) => backend.call("stat", [path]) as Promise<Answered>]] as Call[])
      : []),
    ["glob", (path) => backend.glob("*.txt", path)],
    ["grep", (path) => backend.grep("n", path)],
    ...(profile.copy ? ([["copy", (path) => backend.copy(path, `${path}.copy`)]] as Call[]) : []),
    ...(profile.move ? ([["move", (path) => backend.move(path, `${path}.moved`)]] as Call[]) : []),
    ...(profile.delete
      ? ([["delete", (path) => backend.delete(profile.move ? `${path}.moved` : path)]] as Call[])
      : []),
  ];
}

/** P1: a path is the same file however its slashes are written, for every method. */
async function everySpelling(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const [n, slash] of SLASHES.entries()) {
    const canonical = `/d${n}/e/a.txt`;
    const path = canonical.replaceAll("/", slash);
    for (const [name, call] of lifeOf(context))
      check.succeeded((await call(path)) ?? {}, `${name} of ${show(path)}`, "P1");
    const left = [
      ...(profile.move || profile.delete ? [] : [canonical]),
      ...(profile.copy ? [`${canonical}.copy`] : []),
      ...(profile.move && !profile.delete ? [`${canonical}.moved`] : []),
    ];
    const globbed = (await backend.glob("**/*", `/d${n}`)).files ?? [];
    check.equal(
      globbed.map((entry) => entry.path),
      left,
      `What is left of ${show(path)}`,
      "P1",
    );
    if (left.length === 0) continue;
    for (const folder of [`/d${n}/e`, `/d${n}/e/`]) {
      const { files } = await backend.ls(folder.replaceAll("/", slash));
      check.equal(
        files?.map((entry) => entry.path),
        left,
        `What ls lists of it`,
        "P1",
      );
    }
  }
}

/** Endings that collapse to one slash. */
const ENDINGS = ["//", "///", "/./", "/.//", "//./"];

/** P1, P2, D4: an ending that collapses to a slash is answered as the slash is, with a condition and without. */
async function everyEnding(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/d/a.txt";
  await context.given({ [path]: "one\n", "/d/b.txt": "two\n" });
  const { version } = await backend.read(path);
  const at = profile.versions && version !== undefined ? { ifVersion: version } : undefined;
  const looks: Call[] = [
    ["read", (file) => backend.read(file)],
    ["readRaw", (file) => backend.readRaw(file)],
    ...(hasFeature(context, "stat")
      ? ([["stat", (file) => backend.call("stat", [file]) as Promise<Answered>]] as Call[])
      : []),
    ...(profile.transfer
      ? ([["downloadFiles", (file) => firstOf(backend.downloadFiles([file]))]] as Call[])
      : []),
  ];
  const calls: Call[] = [
    ["ls", (file) => backend.ls(file)],
    ["write", (file) => backend.write(file, "lost")],
    ["write of a new file", (file) => backend.write(file.replace("a.txt", "new"), "lost")],
    ["edit", (file) => backend.edit(file, "one", "lost")],
  ];
  if (at !== undefined)
    calls.push(
      ["write at its version", (file) => backend.write(file, "lost", at)],
      ["edit at its version", (file) => backend.edit(file, "one", "lost", false, at)],
    );
  if (profile.multiEdit)
    calls.push(["multiEdit", (file) => backend.multiEdit(file, [{ old: "one", new: "lost" }])]);
  if (profile.delete) calls.push(["delete", (file) => backend.delete(file)]);
  if (profile.delete && at !== undefined)
    calls.push(["delete at its version", (file) => backend.delete(file, at)]);
  if (profile.transfer)
    calls.push([
      "uploadFiles",
      (file) => firstOf(backend.uploadFiles([[file, encoder.encode("lost")]])),
    ]);
  for (const [name, call] of [...looks, ...calls]) {
    // What remembers an answer by the path without its slash has one of the file itself by now.
    for (const [, look] of looks) await look(path);
    const asSlash = (await call(`${path}/`)) ?? {};
    check.that(hasFailed(asSlash), `${name} of ${path}/ should have failed.`, "P2");
    for (const ending of ENDINGS) {
      const answer = (await call(`${path}${ending}`)) ?? {};
      const what = `${name} of ${show(`${path}${ending}`)}`;
      check.that(hasFailed(answer), `${what} should have failed as with one slash.`, "P1");
      check.equal(
        answer.code,
        asSlash.code,
        `The code of ${what}, beside that of one slash,`,
        "P1",
      );
    }
    for (const [look, ask] of looks)
      check.succeeded(
        (await ask(path)) ?? {},
        `${look} of ${path} after ${name} with a slash`,
        "P1",
      );
    await context.holds({ [path]: "one\n", "/d/b.txt": "two\n", "/d/new": null });
  }
}

/** Paths that are written in other ways than the canonical one. */
export const spellingCases: readonly Case[] = [
  {
    id: "path/every-spelling",
    rules: ["P1"],
    level: "core",
    needs: [],
    why: "However its slashes are written, a path is the same file to every method.",
    hint: "Split at slashes, and leave out what is empty or '.': one replacement misses every second of '/././'.",
    run: everySpelling,
  },
  {
    id: "path/every-ending",
    rules: ["P1", "P2", "F1", "D4"],
    level: "core",
    needs: [],
    why: "What collapses to a slash at the end of a file's path is answered as one slash is, with every option, also where the file was just looked at.",
    hint: "Look for the slash at the end of the path as it was written, before anything is cut off or looked up in a cache.",
    run: everyEnding,
  },
];
