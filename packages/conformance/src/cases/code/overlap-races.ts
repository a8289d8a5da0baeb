import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import { momentOf, MOMENTS } from "../../races/moments.js";
import type { Case, Need } from "../case.js";

const encoder = new TextEncoder();
const BEFORE = "one two three\n";
const UPLOADED = "one two, of the other\n";

type Change = readonly [name: string, call: (path: string, ifVersion: string) => Promise<Answered>];

function versionedChanges({ backend, profile }: CaseContext): Change[] {
  return [
    ["edit", (path, ifVersion) => backend.edit(path, "one", "1", false, { ifVersion })],
    ["write", (path, ifVersion) => backend.write(path, "new\n", { ifVersion })],
    ...(profile.multiEdit
      ? ([
          [
            "multiEdit",
            (path, ifVersion) => backend.multiEdit(path, [{ old: "one", new: "1" }], { ifVersion }),
          ],
        ] as Change[])
      : []),
    ...(profile.delete
      ? ([["delete", (path, ifVersion) => backend.delete(path, { ifVersion })]] as Change[])
      : []),
  ];
}

/** W5: a change at a version is of that version or refused, at whatever moment another one comes. */
async function versionedBeside(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const [n, [name, change]] of versionedChanges(context).entries())
    for (const [m, moment] of MOMENTS.entries()) {
      if (context.signal.aborted) return;
      const path = `/v${n}/${m}.txt`;
      await context.given({ [path]: BEFORE });
      const { version = "" } = await backend.read(path);
      const what = `${name} at a version, with an upload after ${moment}`;
      const changing = change(path, version);
      await momentOf(moment);
      const [uploaded] = await other.uploadFiles([[path, encoder.encode(UPLOADED)]]);
      const changed = await changing;
      check.equal(uploaded?.error, null, `The error of the upload beside ${what}`, "A7");
      if (hasFailed(changed)) check.failed(changed, "conflict", what, "W5");
      await context.holds({ [path]: UPLOADED }, backend, "W5");
      const again = `/r${n}/${m}.txt`;
      await context.given({ [again]: BEFORE });
      const { version: next = "" } = await backend.read(again);
      const [first, second] = await race<Answered>([
        () => change(again, next),
        () => other.edit(again, "two", "2", false, { ifVersion: next }),
      ]);
      const won = [first, second].filter((answer) => answer !== undefined && !hasFailed(answer));
      check.equal(won.length, 1, `The changes at one version that succeed, ${name} and edit`, "W5");
    }
}

/** A8, A7: who gives up waiting for another's change takes nothing away from it. */
async function abortedWaiting(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const [m, moment] of MOMENTS.entries()) {
    const path = `/w${m}.txt`;
    await context.given({ [path]: BEFORE });
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const first = backend.edit(path, "one", "1");
    const waiting = other.edit(path, "two", "2", false, options);
    await momentOf(moment);
    controller.abort();
    const given = await waiting;
    const [done, third] = await Promise.all([first, other.edit(path, "three", "3")]);
    check.succeeded(done, "an edit beside one that was aborted", "A7");
    check.succeeded(third, "an edit after one that was aborted", "A7");
    const text = String((await backend.read(path)).content);
    const whole = hasFailed(given) ? ["1 two 3\n", "1 2 3\n"] : ["1 2 3\n"];
    check.that(
      whole.includes(text),
      `The file should hold every acknowledged edit, but holds ${JSON.stringify(text)}, where one was aborted after ${moment}.`,
      "A7",
    );
  }
}

/** A7: of contents that are stored at once, however large, one is there whole. */
async function largeAtOnce(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  const { fileBytes = Infinity } = profile.limits;
  for (const size of [9000, 20_000, 70_000, 300_000]) {
    if (size > fileBytes) continue;
    const path = `/large-${size}.txt`;
    const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(size));
    const answers = await race(
      texts.map(
        (text, n) => () =>
          [backend, other][n % 2]?.uploadFiles([[path, encoder.encode(text)]]) ??
          Promise.resolve([]),
      ),
    );
    const failed = answers
      .flat()
      .filter(({ error, code }) => error !== null && code !== "conflict");
    check.equal(failed, [], `Uploads of ${size} bytes that failed`, "T1");
    const [{ content } = { content: null }] = await other.downloadFiles([path]);
    const text = new TextDecoder().decode(content ?? new Uint8Array());
    check.that(
      texts.includes(text),
      `Of contents of ${size} bytes that were stored at once, ${text.length} bytes are there that are none of them.`,
      "A7",
    );
  }
}

/** M6: what another stores at the destination of a copy, at whatever moment, is there in the end. */
async function newcomers(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const [m, moment] of MOMENTS.entries()) {
    const names = range(20).map((n) => `${n + 10}.txt`);
    const files = Object.fromEntries(names.map((name) => [`/s${m}/${name}`, "copied\n"]));
    await context.given(files);
    const copying = backend.copy(`/s${m}`, `/t${m}`);
    await momentOf(moment);
    const mine = [`/t${m}/29.txt`, `/t${m}/15.txt`, `/t${m}/own.txt`];
    const written = await Promise.all(mine.map((path) => other.write(path, "mine\n")));
    await copying;
    const kept = mine.filter((_, n) => {
      const answer = written[n];
      return answer !== undefined && !hasFailed(answer);
    });
    await context.holds(Object.fromEntries(kept.map((path) => [path, "mine\n"])), backend, "M6");
    check.that(kept.includes(`/t${m}/own.txt`), "A write beside a copy should succeed.", "A7");
  }
}

/** W4, E7: parallel calls on one file meet, however its path is written. */
async function spelledApart(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const round of range(4)) {
    const spellings = [
      `/p${round}/a.txt`,
      `//p${round}/a.txt`,
      `/p${round}/./a.txt`,
      `/p${round}//a.txt`,
    ];
    if (profile.writeMode === "create") {
      const writes = await race(spellings.map((path, n) => () => backend.write(path, `${n}`)));
      const won = writes.filter((answer) => !hasFailed(answer)).length;
      check.equal(won, 1, "The writes of one path that won, each spelled apart", "W4");
    }
    await context.given({ [`/p${round}/b.txt`]: "<0><1><2><3>\n" });
    const edits = await race(
      spellings.map((path, n) => () => backend.edit(path.replace("a.txt", "b.txt"), `<${n}>`, "x")),
    );
    const done = edits.filter((answer) => !hasFailed(answer)).length;
    const text = String((await backend.read(`/p${round}/b.txt`)).content);
    check.equal(
      text.split("x").length - 1,
      done,
      "The edits that are there, of those that succeeded",
      "E7",
    );
  }
}

interface Race {
  readonly name: string;
  readonly rules: Case["rules"];
  readonly needs: readonly Need[];
  readonly why: string;
  readonly hint: string;
  readonly run: (context: CaseContext, other: GuardedBackend) => Promise<void>;
}

const RACES: readonly Race[] = [
  {
    name: "versioned-beside-changes",
    rules: ["W5", "E7", "A7"],
    needs: ["versions", "transfer"],
    why: "A change at a version is made of that version alone, or is a conflict, at whatever moment another change comes.",
    hint: "A change that lost a race and is tried again compares the caller's version again.",
    run: versionedBeside,
  },
  {
    name: "aborted-while-waiting",
    rules: ["A7", "A8", "E7"],
    needs: ["signals", "conflicts=serialize"],
    why: "A change that is aborted while it waits for another one leaves that one, and those after it, as they are.",
    hint: "Give back only what the call itself has taken: not a lock that somebody else holds.",
    run: abortedWaiting,
  },
  {
    name: "large-at-once",
    rules: ["A7", "T1"],
    needs: ["transfer"],
    why: "Of large contents that are stored at one path at once, one is there, whole.",
    hint: "A temporary name belongs to one call: make it unique.",
    run: largeAtOnce,
  },
  {
    name: "newcomers-beside-copies",
    rules: ["M6", "A7"],
    needs: ["copy", "transfer", "writeMode=create"],
    why: "What is stored below the destination while a directory is copied to it stays, whether the copy fails or not.",
    hint: "Take back the files that the call stored, each in the version that it stored; never the directory.",
    run: newcomers,
  },
];

/** Calls that overlap at every moment that one of them goes through. */
export const overlapRaces: readonly Case[] = [
  ...RACES.flatMap(({ name, needs, run, ...told }): Case[] => [
    {
      id: `conc/${name}`,
      ...told,
      level: "safe",
      needs: ["consistency=strong", ...needs],
      patience: 2,
      run: (context) => run(context, context.backend),
    },
    {
      id: `peer/${name}`,
      ...told,
      level: "safe",
      needs: ["consistency=strong", "peer", "atomicity=clients", ...needs],
      patience: 2,
      run: async (context) => run(context, await context.peer()),
    },
  ]),
  {
    id: "conc/spelled-apart",
    rules: ["W4", "E7", "P1"],
    level: "safe",
    needs: ["consistency=strong"],
    why: "Parallel calls on one file meet, however its path is written.",
    hint: "Make the path canonical before it names a lock or a turn.",
    run: spelledApart,
  },
];
