/** Lines shown of each end. */
const LINES = 5;
/** Characters shown of each end. */
const CHARACTERS = 1000;

/** The two ends of a text, verbatim, without ever looking at its middle. */
export function headAndTail(text: string): string {
  if (text.length <= 2 * CHARACTERS) return text;
  const head = headOf(text);
  const tail = tailOf(text);
  const omitted = text.length - head.length - tail.length;
  return `${head}\n… [${omitted} characters omitted] …\n${tail}`;
}

function headOf(text: string): string {
  let end = 0;
  for (let line = 0; line < LINES; line++) {
    const newline = text.indexOf("\n", end);
    if (newline === -1 || newline > CHARACTERS) return whole(text.slice(0, CHARACTERS));
    end = newline + 1;
  }
  return text.slice(0, end - 1);
}

function tailOf(text: string): string {
  let start = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < LINES; line++) {
    const newline = text.lastIndexOf("\n", start - 1);
    if (newline === -1 || text.length - newline > CHARACTERS) return whole(text.slice(-CHARACTERS));
    start = newline;
  }
  return text.slice(start + 1);
}

/** Drops the half of a surrogate pair that a cut left over. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
