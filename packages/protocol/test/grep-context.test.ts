import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { expect, test } from "vitest";

const encoder = new TextEncoder();
const AROUND = { before: 1, after: 1 };

/** A backend over a volume that is searched for one content of a file, and holds the next one by the time that it is read. */
function changing(next: string): VolumeBackend {
  const volume = new MemoryVolume();
  const searched = new Proxy(volume, {
    get: (target, name) => {
      if (name === "grep")
        return async () => {
          const batches = async function* () {
            await target.put("/a.txt", encoder.encode(next), {});
            yield [{ path: "/a.txt", line: 1, text: "needle" }];
          };
          return { sorted: true, batches: batches() };
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return new VolumeBackend(searched);
}

test("matches are those of the content that the lines around them are of", async () => {
  const { matches } = await changing("other\nbefore\nneedle\nafter\n").grep(
    "needle",
    "/",
    null,
    null,
    AROUND,
  );
  expect(matches).toEqual([
    { path: "/a.txt", line: 3, text: "needle", before: ["before"], after: ["after"] },
  ]);
});

test("a file that has no match any more, or is gone, is left out", async () => {
  const { matches } = await changing("other\n").grep("needle", "/", null, null, AROUND);
  expect(matches).toEqual([]);
});

test("matches that have come since do not exceed the cap", async () => {
  const answer = await changing("needle\nneedle\nneedle\n").grep("needle", "/", null, 2, AROUND);
  expect(answer.matches).toHaveLength(2);
  expect(answer.truncated).toBe(true);
});

test("a cap cuts the last file as it does without lines around", async () => {
  const backend = new MemoryBackend();
  for (const path of ["/a.txt", "/b.txt"]) await backend.write(path, "needle\nneedle\n");
  const answer = await backend.grep("needle", "/", null, 3, AROUND);
  expect(answer.matches?.map(({ path, line }) => [path, line])).toEqual([
    ["/a.txt", 1],
    ["/a.txt", 2],
    ["/b.txt", 1],
  ]);
  expect(answer.truncated).toBe(true);
});
