import type { BackendProtocolV2 } from "@fs/protocol";
import type { Harness } from "./harness.js";
import {
  completeProfile,
  type DeclaredProfile,
  OPTIONAL_METHODS,
  type Profile,
} from "./profile.js";

/**
 * Finds out by trying what a backend of unknown nature is. Good enough to run the suite on it; what it finds is no claim,
 * so that a run on a probed profile earns no level.
 *
 * @param backend An empty backend. It is left with a few files.
 * @param harness With `reopen`, the files are taken to outlive the object.
 */
export async function probeProfile(
  backend: BackendProtocolV2,
  harness: Pick<Harness, "reopen"> = {},
): Promise<Profile> {
  const has = (method: string): boolean => typeof Reflect.get(backend, method) === "function";
  const capabilities = Object.fromEntries(
    Object.entries(OPTIONAL_METHODS).map(([name, methods]) => [name, methods.every(has)]),
  );
  const codes = (await settled(() => backend.readRaw("/probe/missing")))?.["code"] !== undefined;
  await settled(() => backend.write("/probe/file", "one"));
  const overwritten = await settled(() => backend.write("/probe/file", "two"));
  const below = await settled(() => backend.write("/probe/file/below", "x"));
  const read = await settled(() => backend.read("/probe/file", 0, 500));
  const regex = await settled(() =>
    backend.grep("(one|two)", "/probe", null, null, { regex: true }),
  );
  const found: DeclaredProfile = {
    ...capabilities,
    codes,
    writeMode:
      overwritten !== undefined && overwritten["error"] === undefined ? "overwrite" : "create",
    collisions: below !== undefined && below["error"] === undefined ? "allowed" : "refused",
    versions: read?.["version"] !== undefined,
    signals: codes,
    regex: Array.isArray(regex?.["matches"]) && regex["matches"].length > 0,
    directories: (await keepsEmptyDirectories(backend, has)) ? "real" : "implicit",
  };
  return completeProfile(found, harness);
}

async function keepsEmptyDirectories(
  backend: BackendProtocolV2,
  has: (method: string) => boolean,
): Promise<boolean> {
  if (!has("delete")) return false;
  await settled(() => backend.write("/probe/empty/file", "x"));
  await settled(() => backend.delete?.("/probe/empty/file"));
  const listed = await settled(() => backend.ls("/probe"));
  return JSON.stringify(listed ?? {}).includes("/probe/empty");
}

/** The answer as a record; `undefined` for a call that threw, which the cases report and a probe need not. */
async function settled(call: () => unknown): Promise<Record<string, unknown> | undefined> {
  const [outcome] = await Promise.allSettled([(async () => call())()]);
  const value: unknown = outcome?.status === "fulfilled" ? outcome.value : undefined;
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}
