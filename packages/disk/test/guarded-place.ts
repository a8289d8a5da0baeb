import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { FilesystemBackend, type FilesystemBackendOptions } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";
import { snapshot } from "./witness.js";

export const SECRET = "top-secret-content";
export const SECRET_NAME = "name-that-stays-secret";
/** Milliseconds after which a call counts as hanging. */
export const LIMIT = 15_000;

export interface Place {
  readonly root: string;
  readonly outside: string;
}

/** A root with files of its own beside a directory that no call may touch. */
export function place(): Place {
  const base = temporaryRoot();
  const root = join(base, "root");
  // A sibling whose name begins with the root's: string comparison would take it for inside.
  const outside = join(base, "root-outside");
  for (const directory of [root, outside]) mkdirSync(join(directory, "sub"), { recursive: true });
  writeFileSync(join(outside, SECRET_NAME), SECRET);
  writeFileSync(join(outside, "sub", "deep.txt"), SECRET);
  writeFileSync(join(root, "own.txt"), "mine\n");
  writeFileSync(join(root, "sub", "own.txt"), "mine\n");
  return { root, outside };
}

/** Calls every method with a path and answers all that came back, as one text. */
async function everyCall(backend: FilesystemBackend, path: string): Promise<string> {
  const bytes = new Uint8Array([1]);
  const answers = [
    await backend.ls(path),
    await backend.read(path),
    await backend.read(path, 1, 1),
    await backend.readRaw(path),
    await backend.write(path, "overwritten"),
    await backend.write(`${path}/new.txt`, "created"),
    await backend.write(`${path}/new/deeper.txt`, "created"),
    await backend.edit(path, SECRET, "edited"),
    await backend.multiEdit(path, [{ old: SECRET, new: "edited" }]),
    await backend.glob("**/*", path),
    await backend.glob("*", path),
    await backend.grep("secret", path),
    await backend.grep("(secret)", path, null, null, { regex: true }),
    await backend.grep("secret", "/", `${path}/**`),
    await backend.uploadFiles([[path, bytes]]),
    await backend.uploadFiles([[`${path}/up.bin`, bytes]]),
    await backend.downloadFiles([path, `${path}/${SECRET_NAME}`, `${path}/sub/deep.txt`]),
    await backend.copy(path, "/copied"),
    await backend.copy("/own.txt", path, { overwrite: true }),
    await backend.copy("/own.txt", `${path}/copied.txt`),
    await backend.move(`${path}/${SECRET_NAME}`, "/moved"),
    await backend.move(path, "/moved-too"),
    await backend.move("/sub", `${path}/moved`),
    await backend.delete(`${path}/${SECRET_NAME}`),
    await backend.delete(path),
    await backend.ls("/"),
    await backend.glob("**/*"),
    await backend.grep("secret"),
  ];
  return answers
    .map((answer) =>
      JSON.stringify(answer, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
      ),
    )
    .join("\n");
}

/** Nothing outside is changed, and no answer holds anything of it, whatever is called with this path. */
export async function expectHarmless(
  path: string | ((place: Place) => string),
  prepare: (place: Place) => unknown = () => undefined,
  options: FilesystemBackendOptions = {},
): Promise<void> {
  const where = place();
  await prepare(where);
  const before = snapshot(where.outside);
  const backend = new FilesystemBackend({ rootDir: where.root, ...options });
  const written = typeof path === "string" ? path : path(where);
  const answers = await everyCall(backend, written);
  expect(snapshot(where.outside)).toEqual(before);
  expect(answers).not.toContain(SECRET);
  // What the caller wrote himself may come back; nothing else of the outside.
  expect(answers.replaceAll(`/${SECRET_NAME}`, "")).not.toContain(SECRET_NAME);
  if (!written.includes(where.root)) expect(answers).not.toContain(where.root);
}

/** Makes a link in the root. */
export const link =
  (name: string, target: (place: Place) => string) =>
  (where: Place): void => {
    symlinkSync(target(where), join(where.root, name));
  };

/** Its target may be the directory that no call may touch. */
export const out = ({ outside }: Place): string => outside;
