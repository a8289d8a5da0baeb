import type { Failure } from "@fs/protocol";
import { failure } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Context, Run } from "../context.js";
import { stagingOf } from "../layers.js";
import { bytesFrom } from "../standard-input.js";

/** `diff`: what is staged, of all or of one glob, or how two text files differ, as a unified patch; nothing where they are equal. */
export const run: Run = async (context, [before, after]) =>
  before === undefined || after === undefined
    ? staged(context, before)
    : between(context, before, after);

async function staged(context: Context, only: string | undefined): Promise<number> {
  const staging = await stagingOf(context);
  const result = await staging.diff(only, { signal: context.signal });
  return answer(context, result, ({ patch }) => (patch === "" ? [] : [patch.trimEnd()]));
}

async function between(context: Context, before: string, after: string): Promise<number> {
  const [one, two] = [await textOf(context, before), await textOf(context, after)];
  if (typeof one !== "string") return answer(context, one, () => []);
  if (typeof two !== "string") return answer(context, two, () => []);
  const equal = one === two;
  const { textPatch } = await import("@fs/changes");
  const diff = textPatch({ name: before, text: one }, { name: after, text: two });
  return answer(context, { equal, diff }, () => (equal ? [] : [diff.trimEnd()]));
}

async function textOf(context: Context, path: string): Promise<string | Failure> {
  if (path === "-") return new TextDecoder().decode(await bytesFrom("-"));
  const files = await context.files([path]);
  const raw = await files.readRaw(path, { signal: context.signal });
  if (raw.error !== undefined) return raw;
  const { content } = raw.data;
  return typeof content === "string" ? content : failure("not_text", path);
}
