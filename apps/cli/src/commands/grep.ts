import type { GrepMatch } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { textOption, wholeNumber } from "../numbers.js";
import { printable } from "../printable.js";

/** `grep`: the lines that hold a literal text. */
export const run: Run = async (context, [pattern = "", path = "/"], options) => {
  const files = await context.files([path], true);
  const around = wholeNumber(options, "context", 0);
  const max = options["max"] === undefined ? null : wholeNumber(options, "max", 0);
  const found = await files.grep(pattern, path, textOption(options, "glob") ?? null, max, {
    signal: context.signal,
    ...(options["ignoreCase"] === true ? { ignoreCase: true } : {}),
    ...(around === 0 ? {} : { before: around, after: around }),
  });
  if (found.truncated === true && !context.output.json)
    context.output.note("There are more matches.");
  return answer(context, found, (result) => result.matches.flatMap(linesOf));
};

function linesOf({ path, line, text, before = [], after = [] }: GrepMatch): readonly string[] {
  const name = printable(path);
  return [
    ...before.map((around, index) => `${name}-${line - before.length + index}-${around}`),
    `${name}:${line}:${text}`,
    ...after.map((around, index) => `${name}-${line + 1 + index}-${around}`),
  ];
}
