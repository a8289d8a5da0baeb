import type { CaseContext, Content } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import { contentOf, pageOf } from "./tree.js";

const encoder = new TextEncoder();

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Looks at files without judging, so that whatever remembers answers remembers these. */
export async function glanceAt(context: CaseContext, paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    await context.backend.read(path);
    await context.backend.ls(parentOf(path));
  }
}

/** Asserts that `read`, `readRaw` and `ls` show these files too, and no file where `null` is. */
export async function seeFiles(
  context: CaseContext,
  files: Readonly<Record<string, Content | null>>,
): Promise<void> {
  const { backend, check } = context;
  for (const [path, content] of Object.entries(files)) {
    const read = await backend.read(path);
    const listed = (await backend.ls(parentOf(path))).files?.find((entry) => entry.path === path);
    const name = JSON.stringify(path.slice(0, 80));
    if (content === null) {
      check.that(
        hasFailed(read),
        `read of ${name}, where no file is, should fail, but it answered.`,
      );
      check.equal(listed, undefined, `The entry of ${name}, where no file is`);
      continue;
    }
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    check.equal(read.content, pageOf(path, bytes), `What read gives of ${name} in the end`);
    const { data } = await backend.readRaw(path);
    const whole = Array.isArray(data?.content) ? data.content.join("\n") : data?.content;
    check.equal(whole, contentOf(path, bytes), `What readRaw gives of ${name} in the end`);
    check.that(listed !== undefined, `ls should list ${name} in the end.`);
    if (listed?.size !== undefined)
      check.equal(listed.size, bytes.length, `The size of ${name} in the end`);
  }
}
