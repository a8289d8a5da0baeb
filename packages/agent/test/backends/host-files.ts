import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The text of a file of the host, or that there is none. */
export function existsAs(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "nothing";
    throw error;
  }
}

/** The answers of a program whose files are somewhere on the host, without that place. */
export function unrooted(answers: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(answers).replaceAll(
    new RegExp(`${tmpdir()}/fs-either-\\w+`, "g"),
    "",
  );
  return JSON.parse(text) as Record<string, unknown>;
}

/** A directory that is removed at the end. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "fs-either-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
