import { randomBytes } from "node:crypto";

const PREFIX = ".fs-disk-";
const NAME = /^\.fs-disk-[0-9a-f]{24}\.tmp$/;

/** A fresh name for a file that is being written. No agent can guess it, and no listing shows it. */
export function temporaryName(): string {
  return `${PREFIX}${randomBytes(12).toString("hex")}.tmp`;
}

/** Tells whether a name is one of {@link temporaryName}: of a file half written, or left behind by a crash. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(PREFIX) && NAME.test(name);
}
