import { MemoryBackend } from "@fs/protocol";
import { describe, expect, it } from "vitest";
import type { FilesystemMiddlewareOptions } from "@fs/middleware";
import { callTools } from "./support/run.js";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

async function read(
  content: string,
  args: Record<string, unknown> = {},
  options: FilesystemMiddlewareOptions = {},
): Promise<string> {
  const backend = new MemoryBackend();
  await backend.write("/f.txt", content);
  const call = { name: "read_file", args: { file_path: "/f.txt", ...args } };
  const [result] = await callTools({ ...options, backend }, call);
  return result?.text ?? "";
}

describe("read_file", () => {
  it("shows 100 lines with numbers and says how to go on", async () => {
    const text = await read(lines(812));
    const rows = text.split("\n");
    expect(rows[0]).toBe("  1→line 1");
    expect(rows[99]).toBe("100→line 100");
    expect(rows[100]).toBe("[lines 1–100 of 812, continue at offset 100]");
    expect(rows).toHaveLength(101);
  });

  it("shows every line once when its own notes are followed", async () => {
    const backend = new MemoryBackend();
    const content = lines(257);
    await backend.write("/f.txt", content);
    const seen: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const call = { name: "read_file", args: { file_path: "/f.txt", offset } };
      const [page] = await callTools({ backend, answerTokenLimit: 200 }, call);
      const rows = page?.text.split("\n") ?? [];
      seen.push(...rows.flatMap((row) => /^ *\d+→(.*)$/.exec(row)?.[1] ?? []));
      const next = /continue at offset (\d+)/.exec(page?.text ?? "");
      offset = next === null ? undefined : Number(next[1]);
    }
    expect(`${seen.join("\n")}\n`).toBe(content);
  });

  it("wraps a long line without pushing others off the page", async () => {
    const text = await read(`short\n${"x".repeat(15_000)}\nafter\n`);
    const rows = text.split("\n");
    expect(rows[0]).toBe("1→short");
    expect(rows[1]?.startsWith("2→xxx")).toBe(true);
    expect(rows[2]?.startsWith("2.1→xxx")).toBe(true);
    expect(rows.at(-1)).toBe("3→after");
    expect(text.replace(/[^x]/g, "")).toHaveLength(15_000);
  });

  it("cuts a page at the token limit, before a line and not within it", async () => {
    const text = await read(`${"y".repeat(1500)}\n`.repeat(10), {}, { answerTokenLimit: 1000 });
    expect(text).toContain("[lines 1–2 of 10, continue at offset 2]");
    const chinese = await read(`${"漢".repeat(400)}\n`.repeat(10), {}, { answerTokenLimit: 1000 });
    expect(chinese).toContain("[lines 1–2 of 10, continue at offset 2]");
  });

  it("cuts a line that is larger than the limit alone, says so, and goes on after it", async () => {
    const text = await read(`${"z".repeat(50_000)}\nend\n`, {}, { answerTokenLimit: 1000 });
    expect(text.length).toBeLessThan(5000);
    expect(text).toMatch(/line 1 is cut: \d+ more characters; search it with grep/);
    expect(text).toContain("continue at offset 1");
  });

  it("tells an empty file from no lines, and a page past the end", async () => {
    expect(await read("")).toBe("[/f.txt is empty.]");
    expect(await read("a\n", { offset: 9 })).toContain("Offset 9 is past the end");
    expect(await read("a\n", { limit: -1 })).toContain("Error");
  });

  it("keeps tabs, carriage returns out of sight, and halves no character", async () => {
    expect(await read("\tindented\r\nnext\r\n")).toBe("1→\tindented\n2→next");
    const text = await read("😀".repeat(3000));
    expect(text.isWellFormed()).toBe(true);
  });
});
