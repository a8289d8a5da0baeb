import { isRecord } from "./check.js";

/** Names of options whose values are nobody's to see. */
const SECRET_NAME =
  /(?:url|uri|connectionstring|password|passwd|secret|token|key|credential|auth)/i;
/** Shorter values occur in ordinary words; replacing them would hide nothing and spoil every sentence. */
const MIN_LENGTH = 4;

/** Replaces every secret in a text, and what stands between `://` and `@` in any URL, by `***`. */
export type Redact = (text: string) => string;

/** What hides these secrets, whole and as they look percent-encoded or in JSON. */
export function redactorOf(secrets: Iterable<string>): Redact {
  const hidden = [...new Set([...secrets].flatMap(formsOf))]
    .filter((secret) => secret.length >= MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    let shown = text;
    for (const secret of hidden) shown = shown.replaceAll(secret, "***");
    return shown.replace(/(:\/\/)[^/@\s"']+@/g, "$1***@");
  };
}

/** The strings in a value that are secret by the name of their option, or inside such an option. */
export function secretsIn(value: unknown, secret = false): readonly string[] {
  if (typeof value === "string")
    return secret ? [value, ...passwordsIn(value)] : passwordsIn(value);
  if (Array.isArray(value)) return value.flatMap((item: unknown) => secretsIn(item, secret));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    secretsIn(item, secret || SECRET_NAME.test(name)),
  );
}

/** User and password of a URL. */
function passwordsIn(text: string): readonly string[] {
  const match = /:\/\/([^/@\s:]*)(?::([^/@\s]*))?@/.exec(text);
  return match?.[2] === undefined ? [] : [match[2]];
}

function formsOf(secret: string): readonly string[] {
  const decoded = decodedOf(secret);
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    decoded,
  ];
}

function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
