/** What may stand in a `printf` format as it is: nothing that any shell or `printf` reads as more than itself. */
const PLAIN = /^[A-Za-z0-9_/.,:@+-]$/;

/**
 * A shell expression whose value is a text, for use as `"${name}"` after an assignment. The text itself never appears in
 * the command: every byte that is not plain is an octal escape, so that no quote, `$( )` or newline in it can mean anything.
 *
 * The text must not end with a newline, which a command substitution drops.
 */
export function shellText(text: string): string {
  // A format that begins with `-` would be read as an option.
  return `"$(printf -- '${formatOf(text)}')"`;
}

/** A statement that makes texts the positional parameters, by one process. None may hold a newline or be empty. */
export function shellParameters(texts: readonly string[]): string {
  const lines = formatOf(texts.join("\n"));
  return `set -f; IFS='\n'; set -- $(printf -- '${lines}'); unset IFS; set +f`;
}

function formatOf(text: string): string {
  let format = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    format +=
      byte < 0x80 && PLAIN.test(character) ? character : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return format;
}
