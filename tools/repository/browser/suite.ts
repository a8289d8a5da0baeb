// The quick tier of the conformance suite on memory, for a page; run by test/web.int.test.ts.
import { runConformance } from "@fs/conformance";
import { MemoryBackend } from "@fs/protocol";

async function quickSuite(): Promise<unknown> {
  const report = await runConformance(
    { name: "memory in a browser", create: () => new MemoryBackend() },
    { tier: "quick" },
  );
  const of = (status: string): number => report.cases.filter((one) => one.status === status).length;
  return {
    ok: report.ok,
    levels: report.levels,
    passed: of("pass"),
    failed: report.cases
      .filter(({ text }) => text !== undefined)
      .map(({ id, text }) => `${id}: ${text}`),
  };
}

Object.assign(globalThis, { quickSuite });
