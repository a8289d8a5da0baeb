import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { versionedChanges } from "./versioned-changes.js";

const encoder = new TextEncoder();

const NEEDS = ["peer", "consistency=strong", "atomicity=clients", "versions"] as const;

/** W5: a version that another client was given is as good as one's own. */
async function versionOfTheOther(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const peer = await context.peer();
  for (const [name, change] of versionedChanges(context, "two", "2")) {
    const path = `/v/${name}.txt`;
    check.succeeded(await backend.write(path, "one\n"), "a write");
    await backend.read(path);
    check.succeeded(await peer.edit(path, "one", "two"), "the peer's edit");
    const { version } = await peer.read(path);
    if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
    const what = `${name} at the version that the peer was given`;
    check.succeeded(await change(path, version), what, "W5");
    const late = await peer.edit(path, "2", "late", false, { ifVersion: version });
    check.that(hasFailed(late), `The peer's edit at that version should fail after ${what}.`, "W5");
  }
}

/** F3, F2: an answer gives the version of its own change, not that of what another client made of the file since. */
async function versionOfOwnChange(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const ways: ReadonlyArray<
    readonly [string, (path: string) => Promise<Answered & { version?: string }>]
  > = [
    ["write", (path) => backend.write(path, "mine\n")],
    [
      "upload",
      async (path) => (await backend.uploadFiles([[path, encoder.encode("mine\n")]]))[0] ?? {},
    ],
    ["edit", (path) => backend.edit(path, "first", "mine")],
    ...(profile.multiEdit
      ? ([
          ["multiEdit", (path: string) => backend.multiEdit(path, [{ old: "first", new: "mine" }])],
        ] as const)
      : []),
  ];
  let seen = false;
  for (const [name, call] of ways)
    for (const round of range(14)) {
      const path = `/${name}/${round}.txt`;
      if (name.toLowerCase().endsWith("edit")) await context.given({ [path]: "first\n" });
      const pending = call(path);
      await momentOf(round < 12 ? `${round * 2} microtasks` : `${round - 11} turns`);
      const [theirs] = await peer.uploadFiles([[path, encoder.encode("theirs\n")]]);
      const { version } = await pending;
      if (version === undefined) continue;
      seen = true;
      const what = `The version that ${name} gives, beside another client's upload`;
      const other = (theirs as { version?: string } | undefined)?.version;
      check.that(version !== other, `${what}, is that of the upload.`, "F3");
    }
  if (!seen) throw new NotApplicable("no answer of a change gives a 'version'");
}

/** Versions of files that two clients change. */
export const peerVersionCases: readonly Case[] = [
  {
    id: "peer/version-of-own-change",
    rules: ["F3", "F2"],
    level: "safe",
    needs: [...NEEDS, "transfer"],
    why: "The version in an answer is that of the call's own change, also where another client has changed the file since.",
    hint: "Take it from what stored the content, not from a look afterwards.",
    run: versionOfOwnChange,
  },
  {
    id: "peer/version-of-the-other",
    rules: ["W5", "F2"],
    level: "safe",
    needs: [...NEEDS],
    why: "A version that another client was given lets a change through.",
    hint: "The storage judges a condition, not what this client saw last.",
    run: versionOfTheOther,
  },
];
