import { quoteText, show } from "./render.js";

/** Characters shown before and after the first difference. */
const CONTEXT = 40;

/** Expected and received, escaped, with a mark at the first difference of two texts. */
export function describeDifference(expected: unknown, actual: unknown): string {
  if (typeof expected === "string" && typeof actual === "string")
    return textDifference(expected, actual);
  if (expected instanceof Uint8Array && actual instanceof Uint8Array)
    return bytesDifference(expected, actual);
  return `- expected ${show(expected, 600)}\n+ received ${show(actual, 600)}`;
}

function textDifference(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && at < actual.length && expected[at] === actual[at]) at++;
  const from = at <= CONTEXT ? 0 : at - CONTEXT;
  const window = (text: string): string =>
    `${from > 0 ? "…" : ""}${quoteText(text.slice(from, at + CONTEXT))}${text.length > at + CONTEXT ? "…" : ""}`;
  const lead = (from > 0 ? 1 : 0) + quoteText(expected.slice(from, at)).length - 1;
  return [
    `- expected ${window(expected)} (${expected.length} characters)`,
    `+ received ${window(actual)} (${actual.length} characters)`,
    `           ${" ".repeat(lead)}^ first difference at index ${at}`,
  ].join("\n");
}

function bytesDifference(expected: Uint8Array, actual: Uint8Array): string {
  let at = 0;
  while (at < expected.length && at < actual.length && expected[at] === actual[at]) at++;
  const from = Math.max(0, at - 4);
  const window = (bytes: Uint8Array): string =>
    Array.from(bytes.subarray(from, at + 12), (byte) => byte.toString(16).padStart(2, "0")).join(
      " ",
    );
  return [
    `- expected ${from > 0 ? "… " : ""}${window(expected)} (${expected.length} bytes)`,
    `+ received ${from > 0 ? "… " : ""}${window(actual)} (${actual.length} bytes)`,
    `  first difference at byte ${at}`,
  ].join("\n");
}
