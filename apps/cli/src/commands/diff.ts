import type { Failure } from "@fs/protocol";
import { failure } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Context, Run } from "../context.js";
import { bytesFrom } from "../standard-input.js";

/** `diff`: how two text files differ, as a unified patch; nothing where they are equal. */
export const run: Run = async (context, [before = "", after = ""]) => {
  const [one, two] = [await textOf(context, before), await textOf(context, after)];
  if (typeof one !== "string") return answer(context, one, () => []);
  if (typeof two !== "string") return answer(context, two, () => []);
  const equal = one === two;
  const { createTwoFilesPatch } = await import("diff");
  const diff = equal ? "" : createTwoFilesPatch(before, after, one, two);
  return answer(context, { equal, diff }, () => (equal ? [] : [diff.trimEnd()]));
};

async function textOf(context: Context, path: string): Promise<string | Failure> {
  if (path === "-") return new TextDecoder().decode(await bytesFrom("-"));
  const files = await context.files([path]);
  const raw = await files.readRaw(path, { signal: context.signal });
  if (raw.error !== undefined) return raw;
  const { content } = raw.data;
  return typeof content === "string" ? content : failure("not_text", path);
}
