import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks } from "@fs/readme-examples";
import { page, type PageBackend, writePageBackend } from "./page-backend.js";

let backend: PageBackend;
beforeAll(async () => {
  backend = await writePageBackend();
});
afterAll(() => backend.remove());

// Every request of some 2,500 cases is one over HTTP, of the client and of the server in one process.
const LIMIT_MS = 1_200_000;

test("the backend of the page earns what the page says", { timeout: LIMIT_MS }, async () => {
  const said =
    codeBlocks(page)
      .find(({ code }) => code.startsWith("Levels: "))
      ?.code.split("\n") ?? [];
  expect(said).toHaveLength(3);
  const { stdout, stderr } = await backend.conformance();
  for (const line of said) expect(`${stdout}${stderr}`).toContain(line);
});
