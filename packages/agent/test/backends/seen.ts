import type { AnyBackendProtocol } from "deepagents";

/** What a program sees of an answer and may rely on: no times, no sizes, no sentences, no fields that one side has beside them. */
interface Answer {
  readonly error?: string | null | undefined;
  readonly content?: unknown;
  readonly data?: { readonly content: unknown } | undefined;
  readonly files?: readonly { readonly path: string; readonly is_dir?: boolean }[] | undefined;
  readonly matches?:
    | readonly { readonly path: string; readonly line: number; readonly text: string }[]
    | undefined;
  readonly truncated?: boolean | undefined;
  readonly path?: string | undefined;
  readonly occurrences?: number | undefined;
}

const textOf = (content: unknown): unknown =>
  content instanceof Uint8Array
    ? [...content]
    : Array.isArray(content)
      ? content.join("\n")
      : content;

/** One answer, as a program sees it: `"failed"`, or the data. */
export function seen(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(seenOfBatch);
  const result = answer as Answer;
  if (typeof result.error === "string") return "failed";
  if (result.files !== undefined)
    return result.files
      .map(({ path, is_dir }) => (is_dir === true ? `${path} (directory)` : path))
      .toSorted();
  if (result.matches !== undefined) {
    const lines = result.matches
      .map(({ path, line, text }) => `${path}:${line}:${text}`)
      .toSorted();
    return result.truncated === true ? [...lines, "…"] : lines;
  }
  if (result.data !== undefined) return textOf(result.data.content);
  if (result.content !== undefined) return textOf(result.content);
  if (result.occurrences !== undefined) return `${result.occurrences} occurrences`;
  return "done";
}

function seenOfBatch(item: {
  path: string;
  error: string | null;
  content?: Uint8Array | null;
}): unknown {
  const { path, error, content } = item;
  return [
    path,
    error,
    ...(content === undefined || content === null ? [] : [Buffer.from(content).toString()]),
  ];
}

/** The calls that every backend has, in one program. `root` is where its files are. */
export async function everyCall(
  backend: AnyBackendProtocol,
  root = "",
): Promise<Record<string, unknown>> {
  // The methods of the second version; a program calls what its backend has.
  const files = backend as unknown as Record<string, (...args: unknown[]) => unknown>;
  const call = async (method: string, ...args: unknown[]): Promise<unknown> => {
    try {
      return seen(await files[method]?.(...args));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return "threw";
    }
  };
  const [a, b, none] = [`${root}/notes/a.txt`, `${root}/notes/deep/b.md`, `${root}/none.txt`];
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  return {
    "write a new file": await call("write", a, "one\ntwo\nthree"),
    "write below a new directory": await call("write", b, "two fish"),
    read: await call("read", a),
    "read a page": await call("read", a, 1, 1),
    "read a missing file": await call("read", none),
    readRaw: await call("readRaw", a),
    "readRaw of a missing file": await call("readRaw", none),
    "edit one occurrence": await call("edit", a, "three", "3"),
    "edit what is not there": await call("edit", a, "seven", "7"),
    "edit a missing file": await call("edit", none, "x", "y"),
    "write a file with repetitions": await call("write", `${root}/many.txt`, "x x x"),
    "edit several without replaceAll": await call("edit", `${root}/many.txt`, "x", "y"),
    "edit several with replaceAll": await call("edit", `${root}/many.txt`, "x", "y", true),
    "read what was edited": await call("read", `${root}/many.txt`),
    ls: await call("ls", `${root}/notes`),
    "ls with a slash": await call("ls", `${root}/notes/`),
    "ls of a missing directory": await call("ls", `${root}/nowhere`),
    "grep everywhere": await call("grep", "two", `${root}/`),
    "grep with a filter": await call("grep", "two", `${root}/`, "*.md"),
    "grep with a cap": await call("grep", "two", `${root}/`, null, 1),
    "grep without a match": await call("grep", "nine", `${root}/`),
    "glob at any depth": await call("glob", "**/*.md", `${root}/`),
    "glob of one directory": await call("glob", "*.txt", `${root}/notes`),
    "glob without a match": await call("glob", "**/*.py", `${root}/`),
    uploadFiles: await call("uploadFiles", [[`${root}/up.txt`, bytes("up")]]),
    "upload over a file": await call("uploadFiles", [[`${root}/up.txt`, bytes("over")]]),
    downloadFiles: await call("downloadFiles", [`${root}/up.txt`, none]),
    "write over a file": await call("write", a, "anew"),
    "read what was written over": await call("read", a),
    "delete a file": await call("delete", a),
    "read what was deleted": await call("read", a),
    "delete a missing file": await call("delete", none),
    "delete a directory": await call("delete", `${root}/notes`),
    "ls after that": await call("ls", `${root}/`),
  };
}
