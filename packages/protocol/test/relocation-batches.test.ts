import {
  CompositeBackend,
  MemoryBackend,
  type BackendProtocolV2,
  type FileUploadResponse,
} from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

const MEBIBYTE = 1024 * 1024;

/** Counts the files of each upload. */
class CountingBackend extends MemoryBackend {
  readonly uploads: number[] = [];

  override async uploadFiles(
    ...args: Parameters<MemoryBackend["uploadFiles"]>
  ): Promise<FileUploadResponse[]> {
    this.uploads.push(args[0].length);
    return super.uploadFiles(...args);
  }
}

/** How many files each upload has, while files of these sizes are copied from one mount to another. */
async function uploadsOf(
  sizes: readonly number[],
  listing: (files: MemoryBackend) => BackendProtocolV2 | MemoryBackend = (files) => files,
): Promise<number[]> {
  const source = new MemoryBackend();
  await source.uploadFiles(
    sizes.map((size, n) => [`/d/${String(n).padStart(3, "0")}`, new Uint8Array(size)]),
  );
  const target = new CountingBackend();
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": listing(source), "/b/": target });
  expect(await all.copy("/a/d", "/b/d")).toEqual({ path: "/b/d", files: sizes.length });
  expect((await target.ls("/d")).files?.map(({ size }) => size)).toEqual(sizes);
  return target.uploads;
}

/** A source whose listings name no sizes of files below this one. */
const withoutSizes =
  (below = Infinity) =>
  (files: MemoryBackend): BackendProtocolV2 =>
    foreignBackend(files, {
      ls: async (path) => {
        const listed = await files.ls(path);
        if (listed.error !== undefined) return listed;
        return {
          files: listed.files.map(({ size = 0, ...file }) => ({
            ...file,
            ...(size < below ? {} : { size }),
          })),
        };
      },
    });

describe("a batch of files that are copied between mounts", () => {
  test("has 200 files at most", async () => {
    expect(await uploadsOf(Array.from({ length: 401 }, () => 1))).toEqual([200, 200, 1]);
  });

  test("has 16 MiB at most, counted anew for each", async () => {
    const sizes = Array.from({ length: 17 }, () => 2 * MEBIBYTE);
    expect(await uploadsOf(sizes)).toEqual([8, 8, 1]);
  });

  test("is one file where that is larger", async () => {
    expect(await uploadsOf([17 * MEBIBYTE, 1, 1, 16 * MEBIBYTE])).toEqual([1, 2, 1]);
  });

  test("counts a file of unknown size as 256 KiB", async () => {
    expect(
      await uploadsOf(
        Array.from({ length: 65 }, () => 1),
        withoutSizes(),
      ),
    ).toEqual([64, 1]);
    const rest = 16 * MEBIBYTE - 256 * 1024;
    expect(await uploadsOf([1, rest, 1], withoutSizes(2))).toEqual([2, 1]);
  });
});
