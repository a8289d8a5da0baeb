import { findChromium } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext, runInThisContext } from "node:vm";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { suiteWithoutNode } from "../src/suite-without-node.js";
import { CONDITIONS, webBundle } from "../src/web-bundle.js";
import { root } from "../src/workspace.js";

const ENTRIES = [
  "protocol/dist/index.js",
  "protocol/dist/author.js",
  "state/dist/index.js",
  "store/dist/index.js",
  "tools/dist/index.js",
];
const TARGETS = Object.keys(CONDITIONS) as Array<keyof typeof CONDITIONS>;
const page = (name: string): string => join(root, "tools/repository/browser", name);

/** What every runtime of the web has beside the language itself. */
const WEB = [
  "AbortController",
  "AbortSignal",
  "DOMException",
  "Event",
  "EventTarget",
  "Headers",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URL",
  "URLSearchParams",
  "WritableStream",
  "atob",
  "btoa",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "performance",
  "queueMicrotask",
  "setInterval",
  "setTimeout",
  "structuredClone",
];

/** What every runtime must answer, since Node does. */
const ANSWERS = {
  edited: "two\n",
  bytes: true,
  listed: ["/store/b.txt", "/store/c.bin"],
  found: ["/a.txt:2", "/store/b.txt:1"],
  tool: "1→one\n2→two é",
  long: "invalid_path",
  version: true,
  caller: "ada",
  state: "not_found",
};

describe.each(TARGETS)("bundled for %s", (target) => {
  test.each(ENTRIES)("%s imports nothing of Node", async (entry) => {
    const { builtins } = await webBundle(join(root, "packages", entry), target);
    expect(builtins).toEqual([]);
  });
});

test("in a context with nothing but what the web has, every package answers as in Node", async () => {
  const { code } = await webBundle(page("backends.ts"), "edge");
  const web = Object.fromEntries(WEB.map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext(web);
  runInContext("globalThis.self = globalThis;", context);
  runInContext(code, context);
  const answered: unknown = await runInContext("answers().then(JSON.stringify)", context);
  expect(JSON.parse(String(answered))).toEqual(ANSWERS);
});

test("Node answers so too", async () => {
  const { code } = await webBundle(page("backends.ts"), "browser");
  runInThisContext(code);
  const answered: unknown = await runInThisContext("answers()");
  expect(answered).toEqual(ANSWERS);
});

describeWithServer("chromium", "headless Chromium", () => {
  let profile: string;
  let browser: BrowserContext;
  let tab: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), "fs-chromium-"));
    browser = await chromium.launchPersistentContext(profile, {
      executablePath: findChromium() ?? "",
      headless: true,
      chromiumSandbox: false,
      offline: true,
      args: [
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    tab = await browser.newPage();
    tab.on("pageerror", (error) => faults.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(profile, { recursive: true, force: true });
  });

  test("every package answers as in Node", async () => {
    const { code } = await webBundle(page("backends.ts"), "browser");
    await tab.addScriptTag({ content: code });
    expect(await tab.evaluate("answers()")).toEqual(ANSWERS);
    expect(faults).toEqual([]);
  });

  test("MemoryBackend passes the quick tier of the suite", async () => {
    const { code } = await webBundle(page("suite.ts"), "browser", [suiteWithoutNode()]);
    await tab.addScriptTag({ content: code });
    expect(faults).toEqual([]);
    const report: unknown = await tab.evaluate("quickSuite()");
    // A page has one client only, which Safe cannot be earned with.
    const levels = { core: "earned", safe: "one-client" };
    expect(report).toMatchObject({ ok: true, failed: [], levels });
    expect(faults).toEqual([]);
  });
});
