import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { show } from "../report/render.js";

const encoder = new TextEncoder();

/** Written at the end, so that a reader knows when to stop, whatever was lost before. */
export const LAST = "/in/last.txt";

/** Makes changes of every kind that the backend has, and returns what is to be reported of each. */
export async function changeAll(
  { profile, check }: CaseContext,
  by: GuardedBackend,
): Promise<string[][]> {
  const expected: string[][] = [];
  const made = (result: { error?: string | null }, what: string, ...changes: string[]): void => {
    check.that(result.error == null, `${what} should have succeeded: ${show(result.error)}`);
    expected.push(changes.toSorted());
  };
  made(await by.write("/inside.txt", "x"), "write beside the watched path");
  made(await by.write("/in/a.txt", "1"), "write", "created /in/a.txt");
  made(await by.edit("/in/a.txt", "1", "2"), "edit", "changed /in/a.txt");
  check.failed(await by.edit("/in/a.txt", "none", "2"), "no_match", "edit");
  if (profile.writeMode === "create")
    check.failed(await by.write("/in/a.txt", "3"), "already_exists", "write");
  if (profile.transfer) {
    const [stored] = await by.uploadFiles([["/in/a.txt", encoder.encode("3")]]);
    made({ error: stored?.error ?? null }, "upload", "changed /in/a.txt");
  }
  if (profile.multiEdit) {
    const edits = [{ old: profile.transfer ? "3" : "2", new: "4" }];
    made(await by.multiEdit("/in/a.txt", edits), "multiEdit", "changed /in/a.txt");
  }
  const over = { overwrite: true };
  let file = "/in/a.txt";
  if (profile.copy) {
    made(await by.copy("/in/a.txt", "/in/d/c.txt"), "copy", "created /in/d/c.txt");
    made(await by.copy("/in/a.txt", "/in/d/c.txt", over), "copy over", "changed /in/d/c.txt");
  }
  if (profile.move) {
    const both = ["deleted /in/a.txt", "created /in/b.txt"];
    made(await by.move("/in/a.txt", "/in/b.txt"), "move", ...both);
    made(await by.move("/in/b.txt", "/out.txt"), "move out of it", "deleted /in/b.txt");
    // Another name than before: one that is gone and made again would look like one that is replaced.
    file = "/in/k.txt";
    made(await by.move("/out.txt", file), "move into it", `created ${file}`);
    made(await by.write("/in/m.txt", "m"), "write", "created /in/m.txt");
    const replaced = ["deleted /in/m.txt", `changed ${file}`];
    made(await by.move("/in/m.txt", file, over), "move over", ...replaced);
  }
  await changeDirectories(profile, by, made);
  if (profile.delete) made(await by.delete(file), "delete", `deleted ${file}`);
  made(await by.write(LAST, "x"), "write", `created ${LAST}`);
  return expected;
}

/** V1: a directory that is moved or removed is reported as each of its files. */
async function changeDirectories(
  profile: CaseContext["profile"],
  by: GuardedBackend,
  made: (result: { error?: string | null }, what: string, ...changes: string[]) => void,
): Promise<void> {
  const names = ["1.txt", "s/2.txt"];
  const each = (type: string, directory: string): string[] =>
    names.map((name) => `${type} ${directory}/${name}`);
  for (const name of names)
    made(await by.write(`/in/e/${name}`, name), "write", `created /in/e/${name}`);
  let at = "/in/e";
  if (profile.move) {
    const both = [...each("deleted", at), ...each("created", "/in/f")];
    made(await by.move(at, "/in/f"), "move of a directory", ...both);
    at = "/in/f";
  }
  if (profile.delete) made(await by.delete(at), "delete of a directory", ...each("deleted", at));
}

/** V1: what replaces another file is reported as one change, or as two. */
export function asOneChange(reported: readonly string[]): string[] {
  const rest = [...reported];
  for (let at = 0; at < rest.length; at++) {
    const path = /^deleted (.*)$/.exec(rest[at] ?? "")?.[1];
    const again = rest.indexOf(`created ${path}`, at);
    if (path === undefined || again === -1 || again > at + 2) continue;
    rest[again] = `changed ${path}`;
    rest.splice(at, 1);
  }
  return rest;
}
