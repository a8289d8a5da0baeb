import type {
  FileDownloadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  StatResult,
} from "@fs/protocol";
import { hasFeature } from "./feature.js";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import type { FileModel } from "../../model/file-model.js";

const decoder = new TextDecoder();

/** A content as the text that it is. */
export function contentText(
  content: string | string[] | Uint8Array | undefined,
): string | undefined {
  if (content instanceof Uint8Array) return decoder.decode(content);
  return Array.isArray(content) ? content.join("\n") : content;
}

/** What a file of a model holds, as text. */
export function textAt(model: FileModel, path: string): string | undefined {
  return contentText(model.files.get(path));
}

/** A look at what is below the directory of a round. */
export type Look = readonly [name: string, look: (top: string) => Promise<unknown>];

/** Every way to look that the backend has. */
export function looksOf(context: CaseContext, client: GuardedBackend): Look[] {
  const path = "/d/a.txt";
  const looks: Look[] = [
    ["read", (top) => client.read(top + path)],
    ["readRaw", (top) => client.readRaw(top + path)],
    ["ls", (top) => client.ls(`${top}/d`)],
    ["glob", (top) => client.glob("**", top)],
    ["grep", (top) => client.grep("t", top)],
    ["downloadFiles", (top) => client.downloadFiles([top + path])],
  ];
  if (hasFeature(context, "stat")) looks.push(["stat", (top) => client.call("stat", [top + path])]);
  return looks;
}

/** The files of a listing. */
function listed(entries?: ReadonlyArray<{ path: string }>): string[] | undefined {
  return entries?.map(({ path }) => path).filter((path) => !path.endsWith("/"));
}

/** Asserts that each way to look shows the model, all of them at once. */
export async function seeAll(
  context: CaseContext,
  client: GuardedBackend,
  { model, top }: { model: FileModel; top: string },
): Promise<void> {
  const { check } = context;
  const answers = await Promise.all(
    looksOf(context, client).map(async ([name, look]) => [name, await look(top)] as const),
  );
  const text = textAt(model, `${top}/d/a.txt`);
  const paths = model.below(top);
  const seen: Record<string, (answer: never) => readonly [unknown, unknown]> = {
    read: ({ content }: ReadResult) => [content, text],
    readRaw: ({ data }: ReadRawResult) => [contentText(data?.content), text],
    ls: ({ files }: LsResult) => [listed(files) ?? [], model.children(`${top}/d`)],
    glob: ({ files }: GlobResult) => [listed(files) ?? [], paths],
    grep: ({ matches }: GrepResult) => [
      matches?.map((match) => `${match.path}: ${match.text}\n`) ?? [],
      paths
        .map((path) => `${path}: ${textAt(model, path)}`)
        .filter((line) => line.slice(line.indexOf(": ")).includes("t")),
    ],
    downloadFiles: ([first]: FileDownloadResponse[]) => [
      contentText(first?.content ?? undefined),
      text,
    ],
    stat: ({ info }: StatResult) => [info?.size, text?.length],
  };
  for (const [name, answer] of answers) {
    const [actual, expected] = seen[name]?.(answer as never) ?? [];
    check.equal(actual, expected, `What ${name} shows after two calls at once`, "A7");
  }
}
