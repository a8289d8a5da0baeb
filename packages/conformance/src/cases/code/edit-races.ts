import type { EditResult } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import { requireEdited } from "../../races/require-edited.js";
import { requireVisibleEditLoss } from "../../races/racy-client.js";
import type { Case } from "../case.js";

const EDITORS = 20;
const WORKERS = 5;
const INCREMENTS = 10;
/** Tries of one increment before the case calls the backend starved. */
const MAX_TRIES = 400;

const CAS_HINT =
  "An edit must be a compare-and-swap: write only if the file still has the version that was read, and try again if not.";

/** One line edited to another, by each method that can. */
function lineEdit(client: GuardedBackend, n: number, several: boolean): Promise<EditResult> {
  const [old, text] = [`<${n}>`, `[${n}]`];
  if (n % 3 === 1) return client.edit("/a.txt", old, text, true);
  if (n % 3 === 0 || !several) return client.edit("/a.txt", old, text);
  const between = `(${n})`;
  return client.multiEdit("/a.txt", [
    { old, new: between },
    { old: between, new: text },
  ]);
}

/** Parallel edits of distinct lines: what was acknowledged is there, what was refused is not. */
async function distinctEdits(
  context: CaseContext,
  clients: readonly GuardedBackend[],
): Promise<void> {
  const { check } = context;
  const client = (n: number): GuardedBackend => clients[n % clients.length] ?? context.backend;
  await context.given({
    "/a.txt": range(EDITORS)
      .map((n) => `<${n}>\n`)
      .join(""),
  });
  const results = await race(
    range(EDITORS).map((n) => () => lineEdit(client(n), n, context.profile.multiEdit)),
  );
  for (const [n, result] of results.entries())
    requireEdited(context, result, `edit ${n} of ${EDITORS} distinct lines`);
  const expected = results.map(({ error }, n) => (error === undefined ? `[${n}]\n` : `<${n}>\n`));
  await context.holds({ "/a.txt": expected.join("") }, context.backend, "A7");
  const versions = results.flatMap(({ version }) => (version === undefined ? [] : [version]));
  check.equal(new Set(versions).size, versions.length, "The number of distinct versions", "F2");
  const { version } = await context.backend.read("/a.txt");
  if (version !== undefined && versions.length === EDITORS)
    check.that(
      versions.includes(version),
      `The version in the end should be one that an edit answered, but is ${JSON.stringify(version)}.`,
      "F3",
    );
}

/** Workers that read a number and edit it to the next, trying again when they lose. */
async function counter(context: CaseContext, clients: readonly GuardedBackend[]): Promise<void> {
  await context.given({ "/n.txt": "count: 0\n" });
  const work = async (client: GuardedBackend): Promise<void> => {
    for (const _ of range(INCREMENTS)) await increment(context, client);
  };
  await race(range(WORKERS).map((n) => () => work(clients[n % clients.length] ?? context.backend)));
  await context.holds({ "/n.txt": `count: ${WORKERS * INCREMENTS}\n` }, context.backend, "A7");
}

async function increment(context: CaseContext, client: GuardedBackend): Promise<void> {
  for (const _ of range(MAX_TRIES)) {
    const { content } = await client.read("/n.txt");
    const value = Number(/\d+/.exec(typeof content === "string" ? content : "")?.[0]);
    const { error } = await client.edit("/n.txt", `count: ${value}\n`, `count: ${value + 1}\n`);
    if (error === undefined) return;
  }
  context.check.that(false, `An increment lost ${MAX_TRIES} rounds in a row.`, "E7");
}

async function sameEdit(context: CaseContext, clients: readonly GuardedBackend[]): Promise<void> {
  await oneWinner(context, clients, "/a.txt", "start");
  // E3: on an empty file, an edit of nothing fills it, once.
  await oneWinner(context, clients, "/empty.txt", "");
}

async function oneWinner(
  context: CaseContext,
  clients: readonly GuardedBackend[],
  path: string,
  old: string,
): Promise<void> {
  const { check } = context;
  const rest = old === "" ? "" : "\n";
  await context.given({ [path]: `${old}${rest}` });
  const results = await race(
    range(6).map(
      (n) => () => (clients[n % clients.length] ?? context.backend).edit(path, old, `winner ${n}`),
    ),
  );
  const winners = results.flatMap(({ error }, n) => (error === undefined ? [n] : []));
  check.equal(winners.length, 1, "The number of winners of one edit", "A7");
  for (const result of results)
    if (result.error !== undefined)
      check.failed(result, ["conflict", "no_match", "invalid_argument"], "a losing edit", "E7");
  await context.holds({ [path]: `winner ${winners[0]}${rest}` }, context.backend, "A7");
}

async function both(context: CaseContext): Promise<GuardedBackend[]> {
  return [context.backend, await context.peer()];
}

/** Races of edits, in one client and across two. */
export const editRaces: readonly Case[] = [
  {
    id: "conc/edits-distinct",
    rules: ["A7", "E7", "F2", "F3"],
    level: "safe",
    needs: [],
    why: `${EDITORS} parallel edits of distinct lines are all applied, or refused with conflict; none is lost.`,
    hint: CAS_HINT,
    run: async (context) => {
      await requireVisibleEditLoss(context);
      await distinctEdits(context, [context.backend]);
    },
  },
  {
    id: "conc/edits-distinct-peers",
    rules: ["A7", "E7", "F2", "F3"],
    level: "safe",
    needs: ["peer", "atomicity=clients"],
    why: `${EDITORS} parallel edits from two clients are all applied, or refused with conflict; none is lost.`,
    hint: `${CAS_HINT} A lock in this process does not hold back another client.`,
    run: async (context) => distinctEdits(context, await both(context)),
  },
  {
    id: "conc/same-edit",
    rules: ["A7", "E7"],
    level: "safe",
    needs: [],
    why: "Of several edits of the same text one wins; the others are conflict or no_match.",
    hint: CAS_HINT,
    run: async (context) => {
      await requireVisibleEditLoss(context);
      await sameEdit(context, [context.backend]);
    },
  },
  {
    id: "conc/same-edit-peers",
    rules: ["A7", "E7"],
    level: "safe",
    needs: ["peer", "atomicity=clients"],
    why: "Of several edits of the same text by two clients one wins.",
    hint: CAS_HINT,
    run: async (context) => sameEdit(context, await both(context)),
  },
  {
    id: "conc/counter",
    rules: ["A7", "E7"],
    level: "safe",
    needs: [],
    patience: 2,
    why: `${WORKERS} workers of ${INCREMENTS} retried increments count to ${WORKERS * INCREMENTS}.`,
    hint: CAS_HINT,
    run: async (context) => {
      await requireVisibleEditLoss(context);
      await counter(context, [context.backend]);
    },
  },
  {
    id: "conc/counter-peers",
    rules: ["A7", "E7"],
    level: "safe",
    needs: ["peer", "atomicity=clients"],
    patience: 2,
    why: `${WORKERS} workers on two clients count to ${WORKERS * INCREMENTS}.`,
    hint: CAS_HINT,
    run: async (context) => counter(context, await both(context)),
  },
  {
    id: "conc/multi-edits",
    rules: ["A7", "E8"],
    level: "safe",
    needs: ["multiEdit"],
    why: "Parallel multi-edits are each applied whole or refused whole.",
    hint: CAS_HINT,
    run: async (context) => {
      await requireVisibleEditLoss(context);
      await context.given({
        "/a.txt": range(8)
          .map((n) => `<${n}a>\n<${n}b>\n`)
          .join(""),
      });
      const results = await race(
        range(8).map(
          (n) => () =>
            context.backend.multiEdit("/a.txt", [
              { old: `<${n}a>`, new: `[${n}a]` },
              { old: `<${n}b>`, new: `[${n}b]` },
            ]),
        ),
      );
      for (const result of results)
        requireEdited(context, result, "a call with two edits of lines of its own");
      const expected = results.map(({ error }, n) =>
        error === undefined ? `[${n}a]\n[${n}b]\n` : `<${n}a>\n<${n}b>\n`,
      );
      await context.holds({ "/a.txt": expected.join("") }, context.backend, "A7");
    },
  },
  {
    id: "conc/edit-against-upload",
    rules: ["A7"],
    level: "safe",
    needs: ["transfer"],
    why: "An edit beside an upload of the same file ends as one of the two orders would.",
    hint: CAS_HINT,
    run: async (context) => {
      await requireVisibleEditLoss(context);
      for (const round of range(5)) await editAgainstUpload(context, `/${round}.txt`);
    },
  },
];

async function editAgainstUpload(context: CaseContext, path: string): Promise<void> {
  await context.given({ [path]: "a1" });
  const upload = new TextEncoder().encode("a2");
  const [edited] = await race<{ error?: unknown }>([
    () => context.backend.edit(path, "a", "b"),
    async () => (await context.backend.uploadFiles([[path, upload]]))[0] ?? {},
  ]);
  const content = (await context.contents([path])).get(path);
  const text = content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
  const possible = edited?.error === undefined ? ["a2", "b2"] : ["a2"];
  context.check.that(
    possible.includes(String(text)),
    `After an edit and an upload the file is ${JSON.stringify(text)}, which is neither order's outcome (${possible.join(" or ")}).`,
  );
}
