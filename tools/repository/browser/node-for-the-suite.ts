// What the conformance suite uses of Node, for a page. See suite-without-node.ts, which puts the files in.
import { digestOf } from "@fs/protocol/records";

declare const SUITE_FILES: Readonly<Record<string, string>>;

const files = SUITE_FILES;
const keyOf = (url: URL | string): string => new URL(url).pathname.replace(/^\/+/, "");

export function readFileSync(url: URL | string): string {
  const text = files[keyOf(url)];
  if (text === undefined) throw new Error(`no ${String(url)}`);
  return text;
}

export function existsSync(url: URL | string): boolean {
  return Object.hasOwn(files, keyOf(url));
}

export function readdirSync(url: URL | string): string[] {
  const folder = keyOf(url);
  return Object.keys(files)
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length));
}

export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Set || one instanceof Map)
    return isDeepStrictEqual([...one], [...(other as Iterable<unknown>)]);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isDeepStrictEqual(Reflect.get(one, key), Reflect.get(other, key)),
    )
  );
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function waited<T>(ms = 0, value?: T): Promise<T | undefined> {
  await new Promise((resolve) => {
    globalThis.setTimeout(resolve, ms);
  });
  return value;
}
export { waited as setTimeout };
export const setImmediate = (): Promise<unknown> => waited();

export const homedir = (): string => "/none/home";
export const tmpdir = (): string => "/none/temporary";
export const fileURLToPath = (url: URL): string => url.pathname;
export const join = (...parts: readonly string[]): string => parts.join("/");
export const relative = (from: string, to: string): string => to.slice(from.length + 1);
/** The web's own hash functions are asynchronous. */
export function createHash(name: "sha256"): {
  update(bytes: Uint8Array): { digest(form: "hex"): string };
} {
  return { update: (bytes) => ({ digest: (form) => digestOf(name, form, bytes) }) };
}

export const process = {
  cwd: () => "/none/here",
  version: "browser",
  platform: "browser",
  arch: "any",
};

class Bytes extends Uint8Array {
  override toString(): string {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this);
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }
}

export const Buffer = {
  from(value: string | Uint8Array, encoding = "utf8"): Bytes {
    if (typeof value !== "string") return new Bytes(value);
    if (encoding === "utf8") return new Bytes(new TextEncoder().encode(value));
    return Bytes.from(atob(value), (character) => character.charCodeAt(0)) as Bytes;
  },
};

/** A page starts no processes: a driver for a backend in another language is for Node alone. */
export function spawn(): never {
  throw new Error("There are no processes in a browser.");
}
export const fork = spawn;
export const createInterface = spawn;
