import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LocalProcessSandbox } from "./local-process-sandbox.js";
import { sandboxWith } from "./sandbox-with-tools.js";

/** More bytes than travel inside an answer, and fewer. */
const OLD = "a line of the old file\n".repeat(5000);
const NEW = "a line of the new file\n".repeat(30);

const looks = {
  "a page": (sandbox) => sandbox.read("/d/a.txt", 10, 10),
  "the last page": (sandbox) => sandbox.read("/d/a.txt", 4990, 2000),
  "the state": (sandbox) => sandbox.stat("/d/a.txt"),
  "all of it": async (sandbox) => (await sandbox.downloadFiles(["/d/a.txt"]))[0] ?? {},
} satisfies Record<string, (sandbox: LocalProcessSandbox) => Promise<object>>;

const STORED = 'echo "$NEW" >"$ROOT/new"; /bin/mv "$ROOT/new" "$DIR/a.txt"';
const others = {
  replaced: { does: STORED, after: NEW },
  removed: { does: '/bin/rm "$DIR/a.txt"', after: undefined },
  "removed, and stored again,": { does: `/bin/rm "$DIR/a.txt"; ${STORED}`, after: NEW },
};
const TOOLS = ["stat", "sha256sum", "tail", "head", "wc"];

/** The tool that, when it is started for the `nth` time since there is a directory `/d`, has others at work before or after it. */
function nthTime(tool: string, nth: number, when: "before" | "after", does: string): string[] {
  const work = `/bin/${tool} "$@"; said=$?`;
  return [
    `NEW='${NEW.trimEnd()}'`,
    '[ ! -e "$DIR" ] || echo >>"$LEFT"',
    `[ "$(/bin/wc -l <"$LEFT")" -eq ${nth} ] || exec /bin/${tool} "$@"`,
    ...(when === "before" ? [does, work] : [work, does]),
    "exit $said",
  ];
}

/** What is answered, without the time of the change. */
async function seen(answer: Promise<object>): Promise<object> {
  const { info, ...rest } = { info: {}, ...(await answer) };
  return { ...rest, modifiedAt: undefined, info: { ...info, modified_at: undefined } };
}

/** The whole content of `/d/a.txt`; `undefined` where it is not there. */
const contentOf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, "utf8") : undefined;

const cases = Object.entries(looks).flatMap(([look, run]) =>
  Object.entries(others).flatMap(([how, other]) =>
    (["before", "after"] as const).map((when) => [look, how, when, run, other] as const),
  ),
);

test.each(cases)(
  "%s of a file that is %s %s a tool of the look is of one file, and of its version",
  async (_look, _how, when, run, { does, after }) => {
    const [undisturbed, place] = sandboxWith({});
    mkdirSync(join(place, "d"));
    const possible: object[] = [];
    for (const content of [OLD, after]) {
      if (content === undefined) rmSync(join(place, "d", "a.txt"));
      else writeFileSync(join(place, "d", "a.txt"), content);
      const answer = await seen(run(undisturbed));
      // How many lines there are is said where it is known.
      possible.push(answer, { ...answer, totalLines: undefined });
    }

    let changed = 0;
    for (const tool of TOOLS) {
      for (let nth = 1; ; nth++) {
        const [sandbox, rootDir] = sandboxWith({ [tool]: nthTime(tool, nth, when, does) });
        await sandbox.ls("/");
        const file = join(rootDir, "d", "a.txt");
        mkdirSync(join(rootDir, "d"));
        writeFileSync(file, OLD);
        const answer = await seen(run(sandbox));
        if (contentOf(file) === OLD) break;
        changed++;
        expect(contentOf(file)).toBe(after);
        expect(answer, `${tool}, ${nth}`).toBeOneOf(possible);
      }
    }
    expect(changed).toBeGreaterThan(0);
  },
);
