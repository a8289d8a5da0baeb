import { MemoryBackend } from "@fs/protocol";
import { runConformance } from "@fs/conformance";
import { expect, test } from "vitest";

test("a function that makes a backend is enough", async () => {
  const report = await runConformance(() => new MemoryBackend(), { seed: 1 });
  expect(report.cases.filter(({ status }) => status === "fail").map(({ text }) => text)).toEqual(
    [],
  );
  expect(report.ok).toBe(true);
  expect(report.probed).toBe(true);
  expect(report.profile).toMatchObject({
    writeMode: "create",
    directories: "implicit",
    codes: true,
  });
  expect(report.levels.core).toBe("partial");
});
