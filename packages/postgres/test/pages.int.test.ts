import { describeWithServer } from "@fs/test-servers/vitest";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Fixture } from "./test-backends.js";

// Lines of many lengths, some longer than what is first fetched of a large file, some empty, in files on both sides of
// the size up to which a file travels whole.
const short = fc.constantFrom("", "a", "\ufeff", "\r", "é".repeat(40), "😀".repeat(30));
const long = fc.constantFrom("x".repeat(70_000), "é".repeat(90_000));
const file = fc.oneof(
  fc.record({
    lines: fc.array(short, { maxLength: 12 }),
    repeats: fc.constantFrom(1, 300),
    closed: fc.boolean(),
  }),
  fc.record({
    // Most of these are large: a sample with a few of them alone would compare too little.
    lines: fc.array(fc.oneof(short, { arbitrary: long, weight: 2 }), {
      minLength: 2,
      maxLength: 8,
    }),
    repeats: fc.constant(1),
    closed: fc.boolean(),
  }),
);
const page = fc.record({
  offset: fc.oneof(fc.constant(0), fc.nat(30), fc.constant(3_000)),
  limit: fc.oneof(fc.nat(3), fc.constant(500), fc.constant(Number.MAX_SAFE_INTEGER)),
});

describeWithServer("postgres", "pages read on the server", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test("are those of the whole file", async () => {
    const backend = fixture.backend({ writeMode: "overwrite" });
    const generic = backend.withoutHooks();
    let large = 0;
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.array(page, { minLength: 4, maxLength: 6 }),
        async (shape, pages) => {
          const body = Array.from({ length: shape.repeats }, () => shape.lines.join("\n")).join(
            "\n",
          );
          const content = shape.closed ? `${body}\n` : body;
          await backend.write("/f", content);
          if (content.length > 150_000) large++;
          for (const { offset, limit } of pages)
            expect(await backend.read("/f", offset, limit)).toEqual(
              await generic.read("/f", offset, limit),
            );
        },
      ),
      { numRuns: 60 },
    );
    expect(large).toBeGreaterThan(5);
  });

  test("of a large file cost the bytes of the page, not of the file", async () => {
    const backend = fixture.backend();
    await backend.write("/large", "0123456789abcde\n".repeat(256 * 1024));
    const before = await bytesSent();
    expect((await backend.read("/large", 200_000, 10)).content).toBe(
      "0123456789abcde\n".repeat(10),
    );
    expect((await backend.read("/large", 0, 10)).totalLines).toBe(256 * 1024);
    expect((await bytesSent()) - before).toBeLessThan(256 * 1024);
  });

  /** What this process received from the server over all connections of the pool so far. */
  async function bytesSent(): Promise<number> {
    const clients = [await fixture.pool.connect()];
    while (fixture.pool.idleCount > 0) clients.push(await fixture.pool.connect());
    const total = clients
      .map(
        (client) =>
          (client as unknown as { connection: { stream: { bytesRead: number } } }).connection,
      )
      .reduce((sum, { stream }) => sum + stream.bytesRead, 0);
    for (const client of clients) client.release();
    return total;
  }
});
