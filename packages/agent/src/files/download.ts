import type { CallOptions, Filesystem } from "@fs/protocol";

/** A whole text file, or why it is not there. */
export type LoadedText =
  | { readonly path: string; readonly text: string }
  | {
      readonly path: string;
      readonly text?: undefined;
      /** `missing`, or what is wrong with it. */ readonly problem: string;
    };

/** Fetches text files in one call, in order. Never throws; bytes that are not UTF-8 text are a problem. */
export async function loadTexts(
  backend: Filesystem,
  paths: readonly string[],
  options: CallOptions = {},
): Promise<LoadedText[]> {
  if (paths.length === 0) return [];
  if (backend.downloadFiles === undefined)
    return paths.map((path) => ({ path, problem: "this filesystem cannot download files" }));
  const answers = await backend.downloadFiles([...paths], options);
  return paths.map((path, at) => {
    const answer = answers[at];
    if (answer?.content === null || answer?.content === undefined) {
      const problem: string = answer?.code ?? answer?.error ?? "no answer";
      return { path, problem: problem.endsWith("not_found") ? "missing" : problem };
    }
    const text = decoded(answer.content);
    return text === undefined ? { path, problem: "it is not text" } : { path, text };
  });
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
