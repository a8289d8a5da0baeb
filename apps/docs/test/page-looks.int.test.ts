import { findChromium } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { faintTexts, focusSeen, widerThanWindow } from "../src/page-looks.js";

describeWithServer("chromium", "what is asked of each page of the site", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: findChromium() ?? "",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    });
    page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  });
  afterAll(() => browser.close());

  test("sees a page that is too wide, and what makes it so", async () => {
    await page.setContent("<main><p>short</p></main>");
    expect(await page.evaluate(widerThanWindow)).toEqual([]);
    await page.setContent('<main><pre style="width: 900px">wide</pre></main>');
    expect((await page.evaluate(widerThanWindow))[0]).toMatch(/^pre ends at 9/);
  });

  test("sees a text that is too faint, also over what lets its background through", async () => {
    await page.setContent('<main><p style="color: #555">plain</p></main>');
    expect(await page.evaluate(faintTexts)).toEqual([]);
    await page.setContent('<main><p style="color: #999">faint</p></main>');
    expect(await page.evaluate(faintTexts)).toEqual(["p. has 2.8 to 1"]);
    await page.setContent(
      '<main style="background: #000"><p style="color: #555; background: rgb(0 0 0 / 0)">faint</p></main>',
    );
    expect(await page.evaluate(faintTexts)).toEqual(["p. has 2.8 to 1"]);
  });

  test.each([
    ["is seen", '<button style="outline: 2px solid red">a</button>', ""],
    ["has no outline", '<button style="outline: none">a</button>', "no outline"],
    ["has no name", '<button style="outline: 2px solid red"></button>', "no name"],
    [
      "is off the screen",
      '<button style="outline: 2px solid red; position: fixed; left: -300px">a</button>',
      "off the screen, at -300, 0",
    ],
  ])("sees a focus that %s", async (_, html, reason) => {
    await page.setContent(`<body style="margin: 0">${html}</body>`);
    await page.keyboard.press("Tab");
    expect((await page.evaluate(focusSeen)).reason).toBe(reason);
  });
});
