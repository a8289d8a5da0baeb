import type { S3Client } from "@aws-sdk/client-s3";
import { S3Backend, s3Volume, type S3BackendOptions } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startGateway, type Gateway } from "./gateway.js";
import { reset, withSmallPages, type Asked } from "./small-pages.js";

/** Keys of a page. */
const PAGE = 5;

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const padded = (n: number, width = 4): string => String(n).padStart(width, "0");
const range = <T>(length: number, make: (n: number) => T): T[] =>
  Array.from({ length }, (_, n) => make(n));

interface Shape {
  readonly paths: readonly string[];
  /** Directories that hold others. */
  readonly inner: number;
  /** The most listings for each page that a single chain would need, and beside the one for each inner directory. */
  readonly factor: number;
  readonly more: number;
  /** Names of a page with a delimiter. Default: as many as keys. */
  readonly names?: number;
  /** Chains at once, at least. */
  readonly chains: number;
}

/** A number as if it were random, and the same in every run. */
const scattered = (n: number): string =>
  (Math.imul(n + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, "0");

const SHAPES: Record<string, Shape> = {
  "one page": {
    paths: range(5, (n) => `/d${n % 3}/${n}`),
    inner: 0,
    factor: 1,
    more: 0,
    chains: 1,
  },
  "one directory of five pages": {
    paths: range(25, (n) => `/f${padded(n)}`),
    inner: 0,
    factor: 1,
    more: 0,
    chains: 1,
  },
  "a hundred directories of a page each": {
    paths: range(100, (n) => range(5, (m) => `/d${padded(n)}/${m}`)).flat(),
    inner: 1,
    factor: 1.15,
    more: 2,
    names: 1000,
    chains: 4,
  },
  "many small directories": {
    paths: range(200, (n) => `/d${padded(n)}/only`),
    inner: 1,
    factor: 1.15,
    more: 2,
    names: 1000,
    chains: 4,
  },
  "more small directories than a page names": {
    paths: range(300, (n) => `/d${padded(n)}/only`),
    inner: 1,
    factor: 1.15,
    more: 5,
    chains: 2,
  },
  "one large directory before many small ones": {
    paths: [...range(30, (n) => `/a/${padded(n)}`), ...range(50, (n) => `/b${padded(n)}/only`)],
    inner: 1,
    factor: 1.15,
    more: 3,
    names: 1000,
    chains: 1,
  },
  "directories three deep": {
    paths: range(5, (a) =>
      range(6, (b) => range(10, (c) => `/x/${a}/${b}/${padded(c)}`)).flat(),
    ).flat(),
    inner: 7,
    factor: 1.15,
    more: 3,
    chains: 2,
  },
  "a large directory of numbered files": {
    paths: range(300, (n) => `/log-${padded(n)}.txt`),
    inner: 0,
    factor: 1.15,
    more: 1,
    chains: 3,
  },
  "a large directory of files with random names": {
    paths: range(300, (n) => `/${scattered(n)}`),
    inner: 0,
    factor: 1.15,
    more: 1,
    chains: 3,
  },
  "names around a slash, and beyond the surrogates": {
    paths: range(20, (n) =>
      [
        "!",
        "/",
        ".txt",
        "0",
        "~",
        "\u{1f600}",
        "\uff01",
        "\u00e9",
        "/\u{1f600}/x",
        "/\uff01/x",
      ].map((end) => `/n${padded(n, 2)}${end === "/" ? "/in" : end}`),
    ).flat(),
    inner: 21,
    factor: 1.15,
    more: 3,
    names: 1000,
    chains: 1,
  },
};

describeWithServer("s3", "deep listings", () => {
  let gateway: Gateway;
  let client: S3Client;
  let asked: Asked;
  let writer: S3Backend;
  let prefix = "";
  let cases = 0;

  beforeAll(async () => {
    gateway = await startGateway();
    client = gateway.client();
    asked = withSmallPages(client, PAGE);
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    prefix = `case-${cases++}`;
    writer = make({ client: gateway.client() });
    reset(asked);
    asked.names = PAGE;
  });

  const make = (options: Partial<S3BackendOptions> = {}): S3Backend =>
    new S3Backend({ client, bucket: gateway.bucket, prefix, ...options });
  const seed = async (paths: readonly string[], text: (path: string) => string): Promise<void> => {
    const files = paths.map((path): [string, Uint8Array] => [path, Buffer.from(text(path))]);
    for (const { error } of await writer.uploadFiles(files)) expect(error).toBeNull();
  };
  const pathsOf = (files: ReadonlyArray<{ path: string }> | undefined): string[] =>
    (files ?? []).map(({ path }) => path);

  test.each(Object.entries(SHAPES))(
    "%s: each file once, and hardly a request more",
    async (_, shape) => {
      const { paths, inner, factor, more } = shape;
      await seed(paths, () => "x");
      asked.names = shape.names ?? PAGE;
      const { files } = await make().glob("**");
      expect(pathsOf(files)).toEqual([...paths].toSorted());
      const serial = Math.ceil(paths.length / PAGE);
      expect(asked.lists).toBeLessThanOrEqual(Math.ceil(serial * factor) + inner + more);
      expect(asked.mostListing).toBeLessThanOrEqual(32);
      // How many chains overlap is a matter of time; that they do is not.
      expect(asked.mostListing).toBeGreaterThanOrEqual(Math.min(2, shape.chains));
      // One chain after another finds the same.
      expect(pathsOf((await make({ concurrency: 1 }).glob("**")).files)).toEqual(pathsOf(files));
      expect(asked.underWay).toBe(0);
    },
  );

  test("a listing that is given up ends what is under way, and asks for no more", async () => {
    const { paths } = SHAPES["a hundred directories of a page each"] as Shape;
    await seed(paths, () => "x");
    asked.names = 1000;
    const volume = s3Volume({ client, bucket: gateway.bucket, prefix });
    for await (const entry of volume.list("/", { deep: true })) {
      expect(entry.kind).toBe("file");
      if (asked.mostListing > 2) break;
    }
    await vi.waitFor(() => expect(asked.underWay).toBe(0), 60_000);
    expect(asked.lists).toBeLessThan(100);
    // A reader that takes nothing is not read ahead of without end.
    const slow = volume.list("/", { deep: true })[Symbol.asyncIterator]();
    reset(asked);
    await slow.next();
    await vi.waitFor(() => expect(asked.underWay).toBe(0), 60_000);
    expect(asked.lists).toBeLessThanOrEqual(32 + 2);
    await slow.return?.(undefined);
    // A signal ends all of them at once.
    const controller = new AbortController();
    reset(asked);
    const answer = make().glob("**", "/", { signal: controller.signal });
    await vi.waitFor(() => expect(asked.listing).toBeGreaterThan(2), 60_000);
    controller.abort();
    expect((await answer).code).toBe("aborted");
    await vi.waitFor(() => expect(asked.underWay).toBe(0), 60_000);
    expect(asked.lists).toBeLessThan(100);
  });

  test("a gateway that begins every listing at its beginning is read as one chain", async () => {
    const { paths } = SHAPES["directories three deep"] as Shape;
    await seed(paths, () => "needle\n");
    asked.startsIgnored = true;
    try {
      const { files } = await make().glob("**");
      expect(pathsOf(files)).toEqual([...paths].toSorted());
      // One look for each level, until one shows where it begins.
      expect(asked.lists).toBeLessThanOrEqual(Math.ceil(paths.length / PAGE) + 4);
      // Its few files of one name are looked for in all that comes after the first pages.
      const { matches } = await make().grep("needle", "/", "*9", 1000);
      expect(pathsOf(matches)).toEqual([...paths].toSorted().filter((path) => path.endsWith("9")));
    } finally {
      asked.startsIgnored = false;
    }
  });

  test("a directory is deleted while it is listed, and nothing of it stays", async () => {
    const { paths } = SHAPES["a hundred directories of a page each"] as Shape;
    await seed(paths, () => "x");
    await seed(["/kept"], () => "x");
    asked.names = 1000;
    const trees = ["/d0001", "/d0002"];
    for (const tree of trees) expect((await make().delete(tree)).error).toBeUndefined();
    reset(asked);
    for (const tree of ["/d0003/", "/d0004/"]) await make().delete(tree);
    expect(asked.deletions).toBe(2);
    expect(pathsOf((await make().glob("**")).files)).toHaveLength(paths.length - 4 * PAGE + 1);
  });

  describe("grep", () => {
    const names = range(200, (n) => `/d${padded(n >> 3)}/${padded(n)}.txt`);

    test("with a cap it lists what it needs, and fetches what it needs", async () => {
      await seed(names, () => "needle\n");
      const first = await make({ concurrency: 2 }).grep("needle", "/", null, 7);
      expect(pathsOf(first.matches)).toEqual(names.slice(0, 7));
      expect(first).toMatchObject({ truncated: true });
      // Eight answers distinguish seven from more: two pages of five.
      expect(asked.lists).toBe(2);
      expect(asked.gets).toBeGreaterThanOrEqual(8);
      expect(asked.gets).toBeLessThanOrEqual(10);
      reset(asked);
      const all = await make().grep("needle", "/", null, 500);
      expect(pathsOf(all.matches)).toEqual(names);
      expect(asked.gets).toBe(names.length);
      reset(asked);
      expect(pathsOf((await make().grep("needle")).matches)).toEqual(names);
      expect(asked.gets).toBe(names.length);
    });

    test("with a cap its order is that of paths, also where the bucket's is another", async () => {
      const odd = ["\uff01", "\u{1f600}", "a", "\uff01/x", "\u{1f600}/x", "b"].flatMap((name) => [
        `/m/${name}`,
        `/z${name}`,
      ]);
      await seed(odd, () => "needle\n");
      const sorted = odd.toSorted();
      for (const cap of [1, 3, 5, 8, odd.length]) {
        const { matches } = await make().grep("needle", "/", null, cap);
        expect(pathsOf(matches)).toEqual(sorted.slice(0, cap));
      }
    });

    test("again over more text than it may keep, it fetches only what there was no room for", async () => {
      await seed(names.slice(0, 40), (path) => path.padEnd(1000, "x"));
      // An entry weighs its text, its key twice, and 256 bytes.
      const half = 20 * (1000 + 256 + 2 * `${prefix}${names[0]}`.length);
      const backend = make({ cacheBytes: half });
      const cost: number[] = [];
      for (let round = 0; round < 4; round++) {
        reset(asked);
        expect((await backend.grep("xxx")).matches).toHaveLength(40);
        cost.push(asked.gets);
      }
      expect(cost).toEqual([40, 20, 20, 20]);
      await seed([names[0] ?? ""], () => "xxx changed".padEnd(1000, "y"));
      const { matches } = await backend.grep("xxx");
      expect(matches?.[0]?.text).toMatch(/^xxx changed/);
    });
  });
});
