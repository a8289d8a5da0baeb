import { MemoryBackend } from "@fs/protocol";
import type { VolumeBackend } from "@fs/protocol/author";
import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";

const PATHS = ["/a", "/b", "/a/x", "/d/e/f", "/d/e", "/d/g", "/d-e/h", "/d/é/ß", "/n.png", "/🙂/z"];
const TEXTS = [
  "",
  "a",
  "aa",
  "aaa",
  "ab\n",
  "é",
  "🙂",
  "\n",
  "\r\n",
  "x\r\ny",
  "one\ntwo\n",
  "$&",
  "%d",
  "\0",
  "\ufeff",
];

const GLOBS = [
  "**/*.png",
  "*",
  "d/**",
  "**/é*",
  "**/{e,f}",
  "**/?",
  "🙂/*",
  "/d/*",
  "**/[xz]",
  "**/n*g",
];

const path = fc.constantFrom(...PATHS);
const text = fc.array(fc.constantFrom(...TEXTS), { maxLength: 6 }).map((parts) => parts.join(""));
const edit = fc.record({ old: text, new: text, replaceAll: fc.boolean() });

type Step = (backend: VolumeBackend) => Promise<unknown>;
const step: fc.Arbitrary<{ show: string; run: Step }> = fc.oneof(
  fc.tuple(path, text).map(([at, content]) => ({
    show: `write ${at} ${JSON.stringify(content)}`,
    run: (backend: VolumeBackend) => backend.write(at, content),
  })),
  fc.tuple(path, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([at, edits]) => ({
    show: `edit ${at} ${JSON.stringify(edits)}`,
    run: (backend: VolumeBackend) => backend.multiEdit(at, edits),
  })),
  path.map((at) => ({
    show: `delete ${at}`,
    run: (backend: VolumeBackend) => backend.delete(at),
  })),
  fc.tuple(path, path, fc.boolean(), fc.boolean()).map(([from, to, overwrite, keep]) => ({
    show: `${keep ? "copy" : "move"} ${from} ${to} ${overwrite}`,
    run: (backend: VolumeBackend) => backend[keep ? "copy" : "move"](from, to, { overwrite }),
  })),
  fc.tuple(path, fc.uint8Array({ maxLength: 6 })).map(([at, bytes]) => ({
    show: `upload ${at} ${bytes.join()}`,
    run: (backend: VolumeBackend) =>
      backend.uploadFiles([
        [at, bytes],
        ["/up", bytes],
      ]),
  })),
  fc.tuple(path, fc.nat(4), fc.nat(4)).map(([at, offset, limit]) => ({
    show: `read ${at} ${offset} ${limit}`,
    run: async (backend: VolumeBackend) => {
      const { version: _, ...read } = await backend.read(at, offset, limit);
      return read;
    },
  })),
  fc.tuple(fc.constantFrom(...GLOBS), path).map(([pattern, at]) => ({
    show: `glob ${pattern} ${at}`,
    run: (backend: VolumeBackend) => backend.glob(pattern, at),
  })),
  fc.tuple(text, fc.constantFrom(...GLOBS)).map(([pattern, glob]) => ({
    show: `grep ${JSON.stringify(pattern)} in ${glob}`,
    run: (backend: VolumeBackend) => backend.grep(pattern, "/", glob),
  })),
  fc.tuple(text, path, fc.option(fc.nat(3))).map(([pattern, at, cap]) => ({
    show: `grep ${JSON.stringify(pattern)} ${at} ${cap}`,
    run: (backend: VolumeBackend) => backend.grep(pattern, at, null, cap),
  })),
);

/** All that can be seen of a filesystem but its clock. */
async function everything(backend: VolumeBackend): Promise<unknown> {
  const walk = async (directory: string): Promise<unknown[]> => {
    const { files = [] } = await backend.ls(directory);
    return Promise.all(
      files.map(async ({ path: at, size, is_dir }) =>
        is_dir === true
          ? [at, await walk(at)]
          : [at, size, (await backend.readRaw(at)).data?.content],
      ),
    );
  };
  return [await walk("/"), await backend.grep("a"), await backend.glob("**")];
}

const withoutClock = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, item: unknown) =>
      key === "modified_at" || key === "version" ? undefined : item,
    ),
  );

describeWithServer("redis", "RedisBackend beside the same rules in memory", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;
  let spaces = 0;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.info.url);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  test("edits bytes as the rules edit text, and says the same where it cannot", async () => {
    const letters = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
      fc
        .array(fc.constantFrom("a", "b", "é", "🙂", "\n", "\r\n", "$&"), { minLength, maxLength })
        .map((parts) => parts.join(""));
    const edits = fc.array(
      fc.record({ old: letters(0, 2), new: letters(0, 4), replaceAll: fc.boolean() }),
      { minLength: 1, maxLength: 2 },
    );
    const redis = new RedisBackend({ client, namespace: "edits", writeMode: "overwrite" });
    const memory = new MemoryBackend({ writeMode: "overwrite" });
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(letters(0, 10), edits, async (content, list) => {
        const [edited, expected] = await Promise.all(
          [redis, memory].map(async (backend) => {
            await backend.write("/f", content);
            return [await backend.multiEdit("/f", list), (await backend.read("/f")).content];
          }),
        );
        expect(withoutClock(edited)).toEqual(withoutClock(expected));
        if (expected?.[1] !== content) applied++;
      }),
      { numRuns: 3000 },
    );
    expect(applied).toBeGreaterThan(200);
  });

  for (const hooks of [true, false]) {
    test(`answers any history alike, ${hooks ? "with" : "without"} its hooks`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const redis = new RedisBackend({ client, namespace: `space ${++spaces}` });
          const memory = new MemoryBackend();
          const subject = hooks ? redis : redis.withoutHooks();
          for (const { show, run } of steps) {
            const expected = withoutClock(await run(memory));
            expect({ show, is: withoutClock(await run(subject)) }).toEqual({ show, is: expected });
          }
          expect(withoutClock(await everything(subject))).toEqual(
            withoutClock(await everything(memory)),
          );
        }),
        { numRuns: 150 },
      );
    });
  }
});
