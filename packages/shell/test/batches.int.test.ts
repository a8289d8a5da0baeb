import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const COUNT = 1000;

function sandboxOf(): { sandbox: LocalProcessSandbox; root: string } {
  const root = mkdtempSync(join(tmpdir(), "fs-shell-batches-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { sandbox: new LocalProcessSandbox({ rootDir: root }), root };
}

test("1,000 files go in and out by at most 20 commands each way", async () => {
  const { sandbox, root } = sandboxOf();
  const files = Array.from({ length: COUNT }, (_, i): [string, Uint8Array] => [
    `/some/folder/of-${i % 10}/file-${i}.txt`,
    Buffer.from(`needle ${i}\n${"x".repeat(i)}`),
  ]);
  const uploads = await sandbox.uploadFiles(files);
  expect(uploads.filter(({ error }) => error !== null)).toEqual([]);
  expect(sandbox.commands).toBeLessThanOrEqual(20);

  sandbox.commands = 0;
  const downloads = await sandbox.downloadFiles(files.map(([path]) => path));
  expect(downloads.map(({ content }) => Buffer.from(content ?? []).toString())).toEqual(
    files.map(([, bytes]) => Buffer.from(bytes).toString()),
  );
  expect(sandbox.commands).toBeLessThanOrEqual(20);

  sandbox.commands = 0;
  expect((await sandbox.grep("needle")).matches).toHaveLength(COUNT);
  expect(sandbox.commands).toBeLessThanOrEqual(20);

  sandbox.commands = 0;
  expect((await sandbox.grep("needle", "/", null, 900)).matches).toHaveLength(900);
  expect(sandbox.commands).toBeLessThanOrEqual(20);

  // One that cannot travel with the others costs the others nothing but a few commands more.
  writeFileSync(join(root, "huge.bin"), Buffer.alloc(9 * 1024 * 1024));
  sandbox.commands = 0;
  const mixed = await sandbox.downloadFiles(["/none", ...files.map(([path]) => path), "/huge.bin"]);
  expect(mixed.filter(({ error }) => error !== null).map(({ path }) => path)).toEqual(["/none"]);
  expect(mixed.at(-1)?.content).toHaveLength(9 * 1024 * 1024);
  expect(sandbox.commands).toBeLessThanOrEqual(80);
});

/** A sandbox in which a temporary file is gone, or cut off, before it is used. */
class LossySandbox extends LocalProcessSandbox {
  /** Bytes of a temporary file that are left; `undefined` where it is gone. */
  left: number | undefined;

  protected override async sendFile(path: string, bytes: Uint8Array): Promise<void> {
    if (this.left !== undefined) await super.sendFile(path, bytes.subarray(0, this.left));
  }
}

test.each([undefined, 0, 1])(
  "where %s bytes of a file or a batch arrive nothing is stored, and the answer says so",
  async (left) => {
    const root = mkdtempSync(join(tmpdir(), "fs-shell-batches-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const sandbox = new LossySandbox({ rootDir: root });
    sandbox.left = left;
    const answers = await sandbox.uploadFiles([
      ["/a", Buffer.from("a")],
      ["/d/b", Buffer.from("b")],
    ]);
    expect(answers.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
    expect(await sandbox.write("/c", "ccc")).toMatchObject({ code: "unavailable" });
    expect(readdirSync(root, { recursive: true })).toEqual([]);
  },
);

test("names with any line separator are listed, searched and removed", async () => {
  const { sandbox } = sandboxOf();
  const names = ["a\u2028b", "a\u2029b", "a\u0085b", "with space", "quote'\"$(x)"].map(
    (n) => `/${n}.txt`,
  );
  const uploads = await sandbox.uploadFiles(names.map((name) => [name, Buffer.from("needle")]));
  expect(uploads.filter(({ error }) => error !== null)).toEqual([]);
  const listed = (await sandbox.ls("/")).files?.map(({ path }) => path);
  expect(listed?.toSorted()).toEqual(names.toSorted());
  expect((await sandbox.grep("needle")).matches).toHaveLength(names.length);
  expect((await sandbox.glob("*.txt")).files).toHaveLength(names.length);
  for (const name of names) expect((await sandbox.delete(name)).error).toBeUndefined();
});
