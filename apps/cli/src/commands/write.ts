import { failure, type UploadCondition } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { textOption } from "../numbers.js";
import { printable } from "../printable.js";
import { bytesFrom } from "../standard-input.js";
import { UsageError } from "../usage-error.js";

/** `write`: stores the bytes of a local file or of standard input. */
export const run: Run = async (context, [path = "", file = "-"], options) => {
  const ifVersion = textOption(options, "ifVersion");
  if (ifVersion !== undefined && options["overwrite"] === true)
    throw new UsageError("Give --overwrite or --if-version, not both.");
  const files = await context.files([path]);
  const bytes = await bytesFrom(file);
  const condition: UploadCondition =
    ifVersion === undefined ? { ifAbsent: options["overwrite"] !== true } : { ifVersion };
  const { signal } = context;
  const [stored] = (await files.uploadFiles?.([[path, bytes, condition]], { signal })) ?? [];
  if (stored === undefined || stored.error !== null)
    return answer(context, failure(stored?.code ?? "unsupported", path), () => []);
  const { error: _none, ...result } = stored;
  return answer(context, result, () => [`Wrote ${printable(path)} (${bytes.length} B)`]);
};
