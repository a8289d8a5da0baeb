import type { CaseContext } from "../engine/case-context.js";
import { Inconclusive } from "../engine/check-failure.js";
import type { GuardedBackend } from "../engine/guard.js";
import { race, range } from "./race.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Attempts after which the control gives up. */
const MAX_ATTEMPTS = 5;
const WRITERS = 8;

/**
 * Mutations as a careless client makes them on the backend under test: look, then replace, with nothing in between that
 * would notice a neighbour. Where even these lose nothing, calls do not overlap here, and a race proves nothing.
 */
class RacyClient {
  readonly #backend: GuardedBackend;
  readonly #context: CaseContext;

  constructor(context: CaseContext) {
    this.#context = context;
    this.#backend = context.backend;
  }

  async create(path: string, text: string): Promise<boolean> {
    if ((await this.#read(path)) !== undefined) return false;
    await this.#replace(path, text);
    return true;
  }

  async edit(path: string, old: string, to: string): Promise<boolean> {
    const text = await this.#read(path);
    if (text === undefined) return false;
    await this.#replace(
      path,
      text.replace(old, () => to),
    );
    return true;
  }

  async #read(path: string): Promise<string | undefined> {
    const content = (await this.#context.contents([path])).get(path);
    return content instanceof Uint8Array ? decoder.decode(content) : content;
  }

  async #replace(path: string, text: string): Promise<void> {
    if (this.#context.profile.transfer)
      await this.#backend.uploadFiles([[path, encoder.encode(text)]]);
    else {
      const { writeMode, delete: removes } = this.#context.profile;
      if (writeMode === "create" && !removes)
        throw new Inconclusive("nothing here replaces a file, so that a loss cannot be provoked");
      if (writeMode === "create") await this.#backend.delete(path);
      await this.#backend.write(path, text);
    }
  }
}

/** Proves once per run that a lost edit shows here. Throws {@link Inconclusive} where it does not. */
export async function requireVisibleEditLoss(context: CaseContext): Promise<void> {
  const visible = await context.once("edit-loss", () => provoke(context, losesEdits));
  if (!visible) throw new Inconclusive(unprovoked("edits"));
}

/** Proves once per run that two winners of one creation show here. Throws {@link Inconclusive} where they do not. */
export async function requireVisibleDoubleCreate(context: CaseContext): Promise<void> {
  const visible = await context.once("double-create", () => provoke(context, createsTwice));
  if (!visible) throw new Inconclusive(unprovoked("creations"));
}

function unprovoked(what: string): string {
  return (
    `a client that reads and then replaces without looking lost nothing in ${MAX_ATTEMPTS} races of ${WRITERS} ${what}: ` +
    `calls do not overlap here, so that this race proves nothing`
  );
}

async function provoke(
  context: CaseContext,
  attempt: (context: CaseContext, path: string) => Promise<boolean>,
): Promise<boolean> {
  for (const round of range(MAX_ATTEMPTS)) {
    if (await attempt(context, `/control/${round}.txt`)) return true;
  }
  return false;
}

async function losesEdits(context: CaseContext, path: string): Promise<boolean> {
  const client = new RacyClient(context);
  await context.given({
    [path]: range(WRITERS)
      .map((n) => `<${n}>\n`)
      .join(""),
  });
  await race(range(WRITERS).map((n) => () => client.edit(path, `<${n}>`, `[${n}]`)));
  const content = (await context.contents([path])).get(path);
  const text = content instanceof Uint8Array ? decoder.decode(content) : (content ?? "");
  return range(WRITERS).some((n) => !text.includes(`[${n}]`));
}

async function createsTwice(context: CaseContext, path: string): Promise<boolean> {
  const client = new RacyClient(context);
  const created = await race(range(WRITERS).map((n) => () => client.create(path, String(n))));
  return created.filter(Boolean).length > 1;
}
