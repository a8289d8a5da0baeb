import { setImmediate as turn } from "node:timers/promises";
import { type Filesystem, interceptBackend, MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { baseWith } from "./trees.js";

const encoder = new TextEncoder();
const COLLISIONS = ["is_directory", "not_directory", "already_exists"];

type Answer = { error?: string | null; code?: string };
type Change = (backend: Filesystem) => Promise<Answer>;

async function upload(backend: Filesystem, ...paths: string[]): Promise<Answer> {
  const files = paths.map((path): [string, Uint8Array] => [path, encoder.encode("new")]);
  const answers = (await backend.uploadFiles?.(files)) ?? [];
  return answers.find(({ error }) => error !== null) ?? {};
}

/** What makes `/d` a file, and what makes it a directory. */
const AS_FILE: Readonly<Record<string, Change>> = {
  write: (backend) => backend.write("/d", "new"),
  uploadFiles: (backend) => upload(backend, "/other", "/d"),
  move: async (backend) => (await backend.move?.("/one", "/d")) ?? {},
};

const AS_DIRECTORY: Readonly<Record<string, Change>> = {
  write: (backend) => backend.write("/d/deep/file", "new"),
  uploadFiles: (backend) => upload(backend, "/d/deep/file", "/d/more"),
  "move of a directory": async (backend) => (await backend.move?.("/tree", "/d")) ?? {},
  "copy of a directory": async (backend) => (await backend.copy?.("/tree", "/d")) ?? {},
};

const PAIRS = Object.entries(AS_FILE).flatMap(([fileName, file]) =>
  Object.entries(AS_DIRECTORY).flatMap(([directoryName, directory]) => [
    { name: `${fileName} of a file, and ${directoryName} within`, first: file, second: directory },
    { name: `${directoryName}, and ${fileName} of a file within`, first: directory, second: file },
  ]),
);

/** Where `/d` was: nothing, or a file and a directory of the base whose removal is staged. */
const BEFORE = { nothing: [], "a removed file": ["/d"], "a removed directory": ["/d/deep/file"] };

async function clients(removed: readonly string[], upper: (storage: Filesystem) => Filesystem) {
  const files = ["/one", "/tree/a", "/tree/b/c", ...removed];
  const base = await baseWith(Object.fromEntries(files.map((path) => [path, "old"])));
  const storage = new MemoryBackend();
  const second = new StagingBackend(base, { upper: storage });
  for (const path of removed) await second.delete(path);
  return { first: new StagingBackend(base, { upper: upper(storage) }), second };
}

async function expectOne(
  backend: Filesystem,
  answers: readonly Answer[],
  when: string,
  refused: readonly number[] = [1],
) {
  const failed = answers.filter(({ error }) => (error ?? null) !== null);
  expect(refused, `${when}: ${JSON.stringify(answers)}`).toContain(failed.length);
  for (const { code } of failed) expect(COLLISIONS).toContain(code);
  const { files = [] } = await backend.glob("**/*", "/");
  const paths = files.map(({ path }) => path);
  const within = paths.some((path) => path.startsWith("/d/"));
  expect(paths.includes("/d"), `${when}: ${paths.join(", ")}`).toBe(!within);
}

describe.each(Object.entries(BEFORE))(
  "a file and a directory at one path, where %s was (W2)",
  (_, removed) => {
    test.each(PAIRS)("$name", async ({ first: one, second: other }) => {
      for (let n = 1, met = true; met; n++) {
        let left = Infinity;
        let answer: Answer | undefined;
        const run = async (): Promise<void> => {
          answer = await other(second);
        };
        const { first, second } = await clients(removed, (storage) =>
          interceptBackend(storage, async (_call, proceed) => {
            if (--left === 0) await run();
            return proceed();
          }),
        );
        left = n;
        const answers = [await one(first)];
        met = answer !== undefined;
        if (answer !== undefined) await expectOne(first, [...answers, answer], `met at call ${n}`);
        else expect(n).toBeGreaterThan(4);
      }
    });
  },
);

test("two clients that make one path a file and a directory, each at its own pace", async () => {
  let seed = 1;
  const next = (limit: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
  const slow = (storage: Filesystem): Filesystem =>
    interceptBackend(storage, async (_call, proceed) => {
      for (let turns = next(4); turns > 0; turns--) await turn();
      return proceed();
    });
  for (let round = 0; round < 100; round++) {
    const { name, first: one, second: other } = PAIRS[round % PAIRS.length] ?? expect.unreachable();
    const base = await baseWith({ "/one": "old", "/tree/a": "old", "/tree/b/c": "old" });
    const storage = new MemoryBackend();
    const [first, second] = [0, 1].map(() => new StagingBackend(base, { upper: slow(storage) }));
    if (first === undefined || second === undefined) throw new Error("There are two clients.");
    const answers = await Promise.all([one(first), other(second)]);
    // Where the directory comes with two files, one of them may meet a file that is taken back because of the other.
    const single = [one, other].includes(AS_DIRECTORY["write"] ?? expect.unreachable());
    const refused = single ? [1] : [1, 2];
    await expectOne(first, answers, `${name}, round ${round}`, refused);
  }
});

describe("a third client that changes what the first has created, before that looks at it again (W2)", () => {
  const CREATIONS: Readonly<
    Record<string, (backend: Filesystem, path: string) => Promise<Answer>>
  > = {
    write: (backend, path) => backend.write(path, "new"),
    uploadFiles: (backend, path) => upload(backend, "/other", path),
  };
  const CHANGES: Readonly<Record<string, (backend: Filesystem, path: string) => Promise<Answer>>> =
    {
      edit: (backend, path) => backend.edit(path, "new", "newer"),
      uploadFiles: async (backend, path) =>
        (await backend.uploadFiles?.([[path, encoder.encode("!")]]))?.[0] ?? {},
    };
  const MEETINGS = [
    { where: "where a directory comes", path: "/d", comes: "/d/deep/file" },
    { where: "below a file that comes", path: "/d/deep/file", comes: "/d" },
  ];
  const CASES = MEETINGS.flatMap((meeting) =>
    Object.entries(CREATIONS).flatMap(([creation, create]) =>
      Object.entries(CHANGES).map(([name, change]) => ({
        ...meeting,
        creation,
        create,
        name,
        change,
      })),
    ),
  );

  test.each(CASES)(
    "$name of a file $where, created by $creation",
    async ({ path, comes, create, change }) => {
      for (let n = 1, met = true; met; n++)
        for (let m = n + 1, under = true; under; m++) {
          const base = new MemoryBackend();
          const storage = new MemoryBackend();
          const second = new StagingBackend(base, { upper: storage });
          const third = new StagingBackend(base, { upper: storage });
          let calls = 0;
          let changing: Promise<Answer> | undefined;
          const upper = interceptBackend(storage, async (_call, proceed) => {
            calls++;
            if (calls === n) await second.write(comes, "new");
            if (calls === m) {
              changing = change(third, path);
              // It may wait for what this client does next.
              await Promise.race([changing, manyTurns()]);
            }
            return proceed();
          });
          await create(new StagingBackend(base, { upper }), path);
          await changing;
          met = calls >= n;
          under = calls >= m;
          const { files = [] } = await second.glob("**/*", "/");
          const found = files.map((file) => file.path);
          expect(
            found.includes(path) && found.includes(comes),
            `met at calls ${n} and ${m}: ${found.join(", ")}`,
          ).toBe(false);
          if (!met) expect(n).toBeGreaterThan(4);
        }
    },
  );

  test("is refused in the end where the first has died, and can remove the file", async () => {
    const base = new MemoryBackend();
    const storage = new MemoryBackend();
    const second = new StagingBackend(base, { upper: storage });
    const third = new StagingBackend(base, { upper: storage });
    let uploads = 0;
    const dying = interceptBackend(storage, async ({ method }, proceed) => {
      if (uploads > 1) throw new Error("The connection is lost.");
      if (method === "uploadFiles" && ++uploads === 2) await second.write("/d/file", "new");
      return proceed();
    });
    const first = new StagingBackend(base, { upper: dying });
    expect(await first.write("/d", "new")).toMatchObject({ code: "unavailable" });
    expect(await third.edit("/d", "new", "newer")).toMatchObject({ code: "is_directory" });
    expect(await third.delete("/d")).not.toHaveProperty("error");
    expect(await third.edit("/d/file", "new", "newer")).not.toHaveProperty("error");
  });
});

async function manyTurns(): Promise<void> {
  for (let left = 60; left > 0; left--) await turn();
}
