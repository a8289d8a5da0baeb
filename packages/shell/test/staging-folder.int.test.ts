import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { STAGING, TEMPORARY } from "../src/sandbox/temporary.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const text = "x";
const bytes = new TextEncoder().encode(text);
const root = mkdtempSync(join(tmpdir(), "staging-folder-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Keeps the paths of all that was transferred, and may be in the way of it. */
class WatchedSandbox extends LocalProcessSandbox {
  readonly sent: string[] = [];
  readonly fetched: string[] = [];
  afterTransfer: () => void = () => undefined;
  refusesFetches = false;

  protected override async sendFile(path: string, content: Uint8Array): Promise<void> {
    this.sent.push(path);
    await super.sendFile(path, content);
    this.afterTransfer();
  }

  protected override async fetchFile(path: string): Promise<Uint8Array | undefined> {
    this.fetched.push(path);
    if (this.refusesFetches) throw new Error("The connection is lost.");
    return super.fetchFile(path);
  }
}

async function sandbox(): Promise<WatchedSandbox> {
  const opened = new WatchedSandbox({ rootDir: root });
  await opened.uploadFiles([
    ["/file.txt", bytes],
    ["/d/below.txt", bytes],
  ]);
  return opened;
}

const old = { ifVersion: "0".repeat(64) };
const refused = {
  "a write over a directory": (files) => files.write("/d", text),
  "a write below a file": (files) => files.write("/file.txt/below.txt", text),
  "a write at another version": (files) => files.write("/file.txt", text, old),
  "a write of a new file that is there": (files) =>
    files.write("/file.txt", text, { ifAbsent: true }),
  "a batch of which all are refused": async (files) => {
    const [first = {}]: Array<{ code?: string | undefined }> = await files.uploadFiles([
      ["/d", bytes],
      ["/file.txt/below.txt", bytes],
    ]);
    return first;
  },
} satisfies Record<string, (files: WatchedSandbox) => Promise<{ code?: string | undefined }>>;

test.each(Object.entries(refused))("%s leaves nothing behind", async (_, call) => {
  const files = await sandbox();
  expect((await call(files)).code).toBeDefined();
  expect(files.sent.length).toBeGreaterThan(1);
  expect(files.sent.filter((path) => existsSync(path))).toEqual([]);
  const names = [root, join(root, "d")].flatMap((folder) => readdirSync(folder));
  expect(names.toSorted()).toEqual(["below.txt", "d", "file.txt"]);
});

const between = {
  "that is aborted between its transfer and its command": (controller: AbortController) =>
    controller.abort(),
  "whose transfer fails at its end": () => {
    throw new Error("The connection is lost.");
  },
};

test.each(Object.entries(between))("an upload %s leaves nothing behind", async (_, happens) => {
  const files = await sandbox();
  for (const names of [["/new.txt"], ["/new.txt", "/newer.txt"]]) {
    const controller = new AbortController();
    files.afterTransfer = () => happens(controller);
    const stored = await files.uploadFiles(
      names.map((name) => [name, bytes]),
      { signal: controller.signal },
    );
    expect(stored.map(({ code }) => code)).not.toContain(undefined);
  }
  expect(files.sent).toHaveLength(3);
  await expect.poll(() => files.sent.filter((path) => existsSync(path))).toEqual([]);
  expect(existsSync(join(root, "new.txt"))).toBe(false);
});

test("a page too large for an answer leaves nothing behind where it cannot be fetched", async () => {
  const files = await sandbox();
  await files.uploadFiles([["/large.txt", new Uint8Array(200_000).fill(120)]]);
  onTestFinished(() => rmSync(join(root, "large.txt")));
  files.refusesFetches = true;
  expect((await files.read("/large.txt")).code).toBe("unavailable");
  const staged = files.fetched.filter((path) => path.startsWith(STAGING));
  expect(staged).toHaveLength(1);
  expect(staged.filter((path) => existsSync(path))).toEqual([]);
});

test("what a killed command left an hour ago is removed, and nothing newer", async () => {
  await sandbox();
  const [left, fresh] = [`${STAGING}/${TEMPORARY.fresh()}`, `${STAGING}/${TEMPORARY.fresh()}`];
  for (const path of [left, fresh]) writeFileSync(path, "x");
  onTestFinished(() => rmSync(fresh));
  const before = new Date(Date.now() - 2 * 3_600_000);
  utimesSync(left, before, before);
  await sandbox();
  expect([left, fresh].map((path) => existsSync(path))).toEqual([false, true]);
});
