import { type Filesystem, MemoryBackend, withPermissions, withPolicy } from "@fs/protocol";
import { describe, expect, it } from "vitest";

/** Hidden files before, between and after the ones that may be seen. */
const NAMES = [
  "a-secret",
  "b",
  "c-secret",
  "d-secret",
  "e-secret",
  "f-secret",
  "g",
  "h",
  "z-secret",
];
const SHOWN = NAMES.filter((name) => !name.endsWith("-secret"));

async function filled(names: readonly string[]): Promise<MemoryBackend> {
  const files = new MemoryBackend();
  for (const name of names) await files.write(`/${name}`, "");
  return files;
}

const deny = (backend: Filesystem): Filesystem =>
  withPermissions(backend, [{ operations: ["read"], paths: ["/*-secret"], mode: "deny" }]);
const refuse = (backend: Filesystem): Filesystem =>
  withPolicy(backend, {
    beforeRead: ({ path }) => (path.endsWith("-secret") ? "This is a secret." : undefined),
  });

type List = (files: Filesystem, page: { limit: number; after?: string }) => Promise<unknown>;
const ls: List = (files, page) => files.ls("/", page);
const glob: List = (files, page) => files.glob("*", "/", page);

describe.each([
  ["ls under permissions", deny, ls],
  ["glob under permissions", deny, glob],
  ["glob under a policy", refuse, glob],
])("%s", (_, wrap, list) => {
  it.each([0, 1, 2, 3, 4])("gives pages of %d as if hidden files were not there", async (limit) => {
    const [with_, without] = [wrap(await filled(NAMES)), await filled(SHOWN)];
    const strip = (result: unknown): unknown =>
      JSON.parse(
        JSON.stringify(result, (key, value: unknown) =>
          key === "version" || key === "modified_at" ? undefined : value,
        ),
      );
    for (const after of [undefined, "/a-secret", "/b", "/c-secret", "/g", "/h"]) {
      const page = { limit, ...(after === undefined ? {} : { after }) };
      expect(strip(await list(with_, page))).toEqual(strip(await list(without, page)));
    }
  });
});
