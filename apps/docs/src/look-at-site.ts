import { findChromium } from "@fs/test-servers";
import { type Browser, chromium, type Page } from "playwright-core";
import { faintTexts, focusSeen, widerThanWindow } from "./page-looks.js";
import { siteFolder } from "./repository.js";
import { serveSite } from "./serve-site.js";
import { pages } from "./site-map.js";

// Looks at the built site in Chromium: every page at the width of a phone and of a desk, light and dark, and by keyboard.
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const SCHEMES = ["light", "dark"] as const;
const REFERENCE = [
  "/reference/",
  "/reference/protocol/classes/CompositeBackend",
  "/reference/mcp/functions/serveHttp",
];
/** Of every kind one: the first page, one with tables, one with code. */
const BY_KEYBOARD = ["/", "/migrating-from-deepagents", "/start/agent-on-postgres"];
const STOPS = 120;

const problems = new Set<string>();
const executablePath = findChromium();
if (executablePath === undefined) throw new Error("There is no Chromium on this machine.");
const site = await serveSite(siteFolder);
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
try {
  for (const viewport of SIZES)
    for (const colorScheme of SCHEMES) await lookAt(browser, viewport, colorScheme);
  for (const viewport of SIZES) await useKeyboard(browser, viewport);
} finally {
  await browser.close();
  site.close();
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
const looked = (pages.length + REFERENCE.length + 1) * SIZES.length * SCHEMES.length;
process.stdout.write(`looked ${looked} times, ${problems.size} problems\n`);
if (problems.size > 0) process.exitCode = 1;

async function lookAt(
  inside: Browser,
  viewport: { readonly width: number; readonly height: number },
  colorScheme: "light" | "dark",
): Promise<void> {
  const context = await inside.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  for (const route of ["/", ...pages.map((one) => one.route), ...REFERENCE]) {
    const note = (problem: string): Set<string> =>
      problems.add(`${route} at ${viewport.width}, ${colorScheme}: ${problem}`);
    const watch = listenTo(page, note);
    await page.goto(`${site.url}${route}`, { waitUntil: "networkidle" });
    for (const problem of await page.evaluate(widerThanWindow)) note(`too wide: ${problem}`);
    for (const problem of await page.evaluate(faintTexts)) note(`faint: ${problem}`);
    watch();
  }
  await context.close();
}

/** Notes what a page loads from elsewhere, cannot load, or fails at. */
function listenTo(page: Page, note: (problem: string) => unknown): () => void {
  const onError = (error: Error): unknown => note(`throws ${error.message}`);
  const onResponse = (response: { status(): number; url(): string }): void => {
    if (response.status() >= 400) note(`${response.url()} answers ${response.status()}`);
    else if (!response.url().startsWith(site.url) && !response.url().startsWith("data:"))
      note(`loads ${response.url()} from elsewhere`);
  };
  page.on("pageerror", onError);
  page.on("response", onResponse);
  return () => {
    page.off("pageerror", onError);
    page.off("response", onResponse);
  };
}

async function useKeyboard(
  inside: Browser,
  viewport: { readonly width: number; readonly height: number },
): Promise<void> {
  const context = await inside.newContext({ viewport });
  const page = await context.newPage();
  for (const route of BY_KEYBOARD) {
    const note = (problem: string): Set<string> =>
      problems.add(`${route} at ${viewport.width}, by keyboard: ${problem}`);
    await page.goto(`${site.url}${route}`, { waitUntil: "networkidle" });
    const stops: string[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      await page.keyboard.press("Tab");
      const { name, reason } = await page.evaluate(focusSeen);
      if (name === "body") break;
      stops.push(name);
      if (reason !== "") note(`${name}: ${reason}`);
    }
    if (stops[0] !== "a Skip to content") note(`begins with ${stops[0]}`);
    for (const key of ["Control+k", "/"]) {
      await page.keyboard.press(key);
      const field = page.locator(".VPLocalSearchBox input");
      await field.waitFor();
      await field.fill("compare and swap");
      await page.locator(".VPLocalSearchBox .result").first().waitFor();
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "detached" });
    }
  }
  await context.close();
}
