import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import { requireVisibleDoubleCreate } from "../../races/racy-client.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const CREATE_HINT =
  "Create with the storage's own condition: O_EXCL, If-None-Match, a unique key, SET NX. Looking first and writing then lets two win.";

/** N writers of one path: exactly one wins, and the file is the winner's. */
async function createRace(
  context: CaseContext,
  clients: readonly GuardedBackend[],
  path: string,
  writers: number,
): Promise<void> {
  const { check } = context;
  const results = await race(
    range(writers).map(
      (n) => () => (clients[n % clients.length] ?? context.backend).write(path, `writer ${n}`),
    ),
  );
  const winners = results.flatMap(({ error }, n) => (error === undefined ? [n] : []));
  check.equal(
    winners.length,
    1,
    `The number of winners among ${writers} writers of one path`,
    "W4",
  );
  for (const result of results)
    if (result.error !== undefined) check.failed(result, "already_exists", "a losing write", "W4");
  await context.holds({ [path]: `writer ${winners[0]}` }, context.backend, "A7");
}

/** Races of writes, uploads, deletes and moves. */
export const writeRaces: readonly Case[] = [
  {
    id: "conc/create-race",
    rules: ["W4"],
    level: "safe",
    needs: ["writeMode=create"],
    why: "Of 2 and of 16 writers of one path exactly one wins, and the file is the winner's.",
    hint: CREATE_HINT,
    run: async (context) => {
      await requireVisibleDoubleCreate(context);
      for (const round of range(3))
        await createRace(context, [context.backend], `/two-${round}.txt`, 2);
      await createRace(context, [context.backend], "/d/sixteen.txt", 16);
    },
  },
  {
    id: "conc/create-race-peers",
    rules: ["W4"],
    level: "safe",
    needs: ["writeMode=create", "peer", "atomicity=clients"],
    why: "Of 16 writers on two clients exactly one wins.",
    hint: CREATE_HINT,
    run: async (context) => {
      const clients = [context.backend, await context.peer()];
      for (const round of range(3)) await createRace(context, clients, `/two-${round}.txt`, 2);
      await createRace(context, clients, "/d/sixteen.txt", 16);
    },
  },
  {
    id: "conc/overwrite-race",
    rules: ["A7", "W1"],
    level: "safe",
    needs: ["writeMode=overwrite"],
    why: "After a race of overwrites the file is one of them, whole.",
    run: async (context) => {
      const texts = range(8).map((n) => `${n}`.repeat(1000 * (n + 1)));
      await race(texts.map((text) => () => context.backend.write("/a.txt", text)));
      await expectOneOf(context, "/a.txt", texts);
    },
  },
  {
    id: "conc/upload-race",
    rules: ["A7", "T1"],
    level: "safe",
    needs: ["transfer"],
    why: "After a race of uploads the file is one of them, whole.",
    run: async (context) => {
      const texts = range(8).map((n) => `${n}`.repeat(1000 * (n + 1)));
      const encoder = new TextEncoder();
      await race(
        texts.map((text) => () => context.backend.uploadFiles([["/a.txt", encoder.encode(text)]])),
      );
      await expectOneOf(context, "/a.txt", texts);
    },
  },
  {
    id: "conc/if-version-race",
    rules: ["W5", "A7"],
    level: "safe",
    needs: ["versions"],
    why: "Of several writes that replace the same version exactly one wins.",
    hint: "Compare and replace in one step of the storage.",
    run: async (context) => {
      const { backend, check } = context;
      await context.given({ "/a.txt": "old" });
      const { version } = await backend.read("/a.txt");
      check.that(
        version !== undefined,
        "The profile has versions: true, but read gives no version.",
      );
      const options = { ifVersion: version ?? "" };
      const results = await race(
        range(8).map((n) => () => backend.write("/a.txt", `writer ${n}`, options)),
      );
      const winners = results.flatMap(({ error }, n) => (error === undefined ? [n] : []));
      check.equal(winners.length, 1, "The number of winners of one version");
      for (const result of results)
        if (result.error !== undefined) check.failed(result, "conflict", "a losing write");
      await context.holds({ "/a.txt": `writer ${winners[0]}` });
    },
  },
  {
    id: "conc/one-version-one-change",
    rules: ["W5", "A7", "T3"],
    level: "safe",
    needs: ["versions", "transfer"],
    why: "Of changes of every kind at the same version of a file exactly one happens.",
    hint: "Compare and change in one step of the storage, in every method alike.",
    run: oneOfEveryKind,
  },
  {
    id: "conc/delete-race",
    rules: ["A7", "D1"],
    level: "safe",
    needs: ["delete"],
    why: "Of several deletes of one file exactly one removes it; the others find nothing.",
    run: async (context) => {
      const { backend, check } = context;
      await context.given({ "/a.txt": "a" });
      const results = await race(range(6).map(() => () => backend.delete("/a.txt")));
      check.equal(
        results.filter(({ error }) => error === undefined).length,
        1,
        "The number of deletes that removed the file",
      );
      for (const result of results)
        if (result.error !== undefined)
          check.failed(result, ["not_found", "conflict"], "a late delete");
      await context.holds({ "/a.txt": null });
    },
  },
  {
    id: "conc/move-race",
    rules: ["A7", "M2"],
    level: "safe",
    needs: ["move"],
    why: "Of two moves of one file one wins; a refused move leaves nothing at its destination.",
    hint: "Undo the copy when the source cannot be removed any more, or move in one step of the storage.",
    run: async (context) => {
      const { check } = context;
      for (const round of range(3)) {
        const from = `/from-${round}`;
        const targets = range(3).map((n) => `/to-${round}-${n}`);
        await context.given({ [from]: "x" });
        const results = await race(targets.map((to) => () => context.backend.move(from, to)));
        const winners = results.flatMap(({ error }, n) => (error === undefined ? [n] : []));
        check.equal(winners.length, 1, "The number of moves that won one file");
        const expected = targets.map((to, n) => [to, n === winners[0] ? "x" : null] as const);
        await context.holds({ ...Object.fromEntries(expected), [from]: null });
      }
    },
  },
  {
    id: "conc/distinct-paths",
    rules: ["A7"],
    level: "safe",
    needs: [],
    why: "30 parallel writes of distinct files in one new directory are all kept.",
    hint: "A whole tree kept under one key needs a compare-and-swap of that key.",
    run: async (context) => {
      const { backend, check } = context;
      const paths = range(30).map((n) => `/new/dir/${String(n).padStart(2, "0")}.txt`);
      const results = await race(paths.map((path) => () => backend.write(path, path)));
      for (const [n, result] of results.entries()) check.succeeded(result, `write ${n}`);
      await context.holds(Object.fromEntries(paths.map((path) => [path, path])));
      check.equal(
        (await backend.ls("/new/dir")).files?.map(({ path }) => path),
        paths,
        "The directory",
      );
    },
  },
];

const FOUR_LINES = "one\ntwo\nthree\nfour\n";

/** W5: whatever the methods are, one version lets one change through. */
async function oneOfEveryKind(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const round of range(7)) {
    const path = `/v${round}.txt`;
    await context.given({ [path]: FOUR_LINES });
    const { version: ifVersion } = await backend.read(path);
    if (ifVersion === undefined) throw new NotApplicable("read gives no 'version' of this file");
    const upload = [[[path, new TextEncoder().encode("uploaded\n"), { ifVersion }]]];
    const calls: Array<readonly [text: string | null, call: () => Promise<unknown>]> = [
      ["written\n", () => backend.write(path, "written\n", { ifVersion })],
    ];
    // Each edit still applies after the others, so that nothing but the version refuses it.
    for (const old of ["one", "two"])
      calls.push([
        FOUR_LINES.replace(old, "edited"),
        () => backend.edit(path, old, "edited", false, { ifVersion }),
      ]);
    for (const old of profile.multiEdit ? ["three", "four"] : [])
      calls.push([
        FOUR_LINES.replace(old, "edited"),
        () => backend.multiEdit(path, [{ old, new: "edited" }], { ifVersion }),
      ]);
    if (profile.delete) calls.push([null, () => backend.delete(path, { ifVersion })]);
    if (hasFeature(context, "conditionalUploads"))
      calls.push([
        "uploaded\n",
        async () => ((await backend.call("uploadFiles", upload)) as unknown[])[0],
      ]);
    // Each kind begins first once.
    const turned = [...calls.slice(round % calls.length), ...calls.slice(0, round % calls.length)];
    const answers = await race(turned.map(([, call]) => call));
    const winners = turned.filter((_, n) => !hasFailed(answers[n] as object));
    check.equal(winners.length, 1, "The number of changes at one version", "W5");
    await context.holds({ [path]: winners[0]?.[0] ?? null }, backend, "A7");
  }
}

async function expectOneOf(
  context: CaseContext,
  path: string,
  texts: readonly string[],
): Promise<void> {
  const content = (await context.contents([path])).get(path);
  const text = content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
  context.check.that(
    texts.includes(text ?? ""),
    `The file holds none of the ${texts.length} contents that were written, but ${JSON.stringify(text?.slice(0, 40))}… (${text?.length} characters).`,
  );
}
