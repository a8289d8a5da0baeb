import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const MEBIBYTE = 2 ** 20;
/** Files of so many bytes each: together more than a batch answers, a cache holds and a plan has room for. */
const FILES = 9;
const BYTES = 8 * MEBIBYTE;
/** Bytes of a column that counts them in three bytes, and some more. */
const BEYOND = 2 ** 24 + 5;

/** Bytes of which each block says where it is, and whose. */
function contentOf(size: number, owner: number): Uint8Array {
  const content = new Uint8Array(size);
  for (let at = 0; at < size; at += 1024) content.set([owner, (at >> 10) & 0xff, at >> 18], at);
  return content;
}

/** A7, T1: what is acknowledged is there whole, or it is refused as too much. */
async function muchInAll(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const { fileBytes = Infinity } = profile.limits;
  if (fileBytes < BEYOND) throw new NotApplicable(`a file may have ${fileBytes} bytes here`);
  const sizes = [BEYOND, ...range(FILES).map(() => BYTES)];
  const stored: string[] = [];
  for (const [n, size] of sizes.entries()) {
    const [answer] = await backend.uploadFiles([[`/${n}.bin`, contentOf(size, n + 1)]]);
    if (answer?.error === null) stored.push(`/${n}.bin`);
    else check.failed(answer ?? {}, ["too_large", "quota_exceeded"], `upload ${n}`, "W6");
  }
  const listed = (await backend.ls("/")).files?.map(({ path }) => path);
  check.equal(listed, stored, "The files that are there of those that were acknowledged", "A7");
  for (let at = 0; at < stored.length; at += 3) {
    const paths = stored.slice(at, at + 3);
    const files = paths.map((path) => [path, Number.parseInt(path.slice(1), 10)] as const);
    await context.holds(
      Object.fromEntries(files.map(([path, n]) => [path, contentOf(sizes[n] ?? 0, n + 1)])),
      backend,
      "T1",
    );
  }
}

/** Bytes at which storages cut, evict, or answer no more of a batch. */
export const largeTotalCases: readonly Case[] = [
  {
    id: "scale/much-in-all",
    rules: ["A7", "T1", "W6"],
    level: "core",
    needs: ["transfer", "content=bytes"],
    tier: "full",
    patience: 10,
    why: "Ninety megabytes in ten files, one of them beyond 16 MiB, are there whole, or are refused as too much.",
    hint: "Ask for what a batch has left out; a storage that evicts what it holds is no place for files.",
    run: muchInAll,
  },
];
