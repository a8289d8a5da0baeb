import { failure, type Filesystem } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Context, Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { wholeNumber } from "../numbers.js";

/** `read`: the exact bytes of a file, or lines of it. */
export const run: Run = async (context, [path = ""], options) => {
  const files = await context.files([path]);
  const { offset, limit } = options;
  if (context.output.json || offset !== undefined || limit !== undefined) {
    const [first, most] = [wholeNumber(options, "offset", 0), wholeNumber(options, "limit", 1e15)];
    return readLines(context, files, path, first, most);
  }
  const [got] = (await files.downloadFiles?.([path], { signal: context.signal })) ?? [];
  if (got === undefined || got.error !== null)
    return answer(context, failure(got?.code ?? "unsupported", path), () => []);
  await context.output.content(got.content);
  return EXIT.ok;
};

async function readLines(
  context: Context,
  files: Filesystem,
  path: string,
  offset: number,
  limit: number,
): Promise<number> {
  const page = await files.read(path, offset, limit, { signal: context.signal });
  if (page.error !== undefined) return answer(context, page, () => []);
  const { content } = page;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (!context.output.json) await context.output.content(bytes);
  else {
    const encoded =
      typeof content === "string"
        ? page
        : { ...page, content: Buffer.from(content).toString("base64"), encoding: "base64" };
    await context.output.result(encoded, () => []);
  }
  return EXIT.ok;
}
