import { failure, isSandboxBackend } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { textOption } from "../numbers.js";
import { UsageError } from "../usage-error.js";

/** `exec`: runs a command where the root of the tree is a sandbox. */
export const run: Run = async (context, words, options) => {
  const given = textOption(options, "timeout");
  if (given !== undefined && !/^\d+(?:\.\d+)?$/.test(given))
    throw new UsageError("--timeout must be a number of seconds.");
  const files = await context.files(["/"]);
  if (!isSandboxBackend(files))
    return answer(
      context,
      failure(
        "unsupported",
        "/",
        "The root of this tree runs no commands; it must use 'shell' or 'bubblewrap'.",
      ),
      () => [],
    );
  const ran = await files.execute(words.join(" "), {
    signal: context.signal,
    ...(given === undefined ? {} : { timeout: Number(given) }),
  });
  if (ran.error !== undefined) return answer(context, ran, () => []);
  if (context.output.json) await context.output.result(ran, () => []);
  else await context.output.content(new TextEncoder().encode(ran.output));
  return ran.exitCode === 0 ? EXIT.ok : EXIT.failed;
};
