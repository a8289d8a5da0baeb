import { buffer } from "node:stream/consumers";
import { readFile } from "node:fs/promises";

/** The bytes of a file of this machine; `-` is standard input. */
export async function bytesFrom(file: string): Promise<Uint8Array> {
  const bytes = file === "-" ? await buffer(process.stdin) : await readFile(file);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
