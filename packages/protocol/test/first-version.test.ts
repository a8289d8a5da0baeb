import { describe, expect, test, vi } from "vitest";
import {
  adaptBackendProtocol,
  adaptSandboxProtocol,
  type BackendProtocolV1,
  CompositeBackend,
  isSandboxBackend,
  MemoryBackend,
  resolveBackend,
} from "@fs/protocol";

const now = "2026-01-01T00:00:00.000Z";

/** A backend of the first version over a record of lines, as it was once written. */
class LinesBackend implements BackendProtocolV1 {
  readonly files: Record<string, string[]> = { "/a.txt": ["one", "two", ""] };
  routePrefixes = ["/x/"];

  lsInfo(): Array<{ path: string }> {
    return Object.keys(this.files).map((path) => ({ path }));
  }
  read(path: string): string {
    return `1\t${this.files[path]?.join("\n2\t")}`;
  }
  readRaw(path: string): { content: string[]; created_at: string; modified_at: string } {
    const content = this.files[path];
    if (content === undefined) throw new Error(`File '${path}' not found`);
    return { content, created_at: now, modified_at: now };
  }
  grepRaw(pattern: string): Array<{ path: string; line: number; text: string }> | string {
    if (pattern === "(") return "bad pattern";
    return Object.entries(this.files).flatMap(([path, lines]) =>
      lines.flatMap((text, i) => (text.includes(pattern) ? [{ path, line: i + 1, text }] : [])),
    );
  }
  globInfo(): Array<{ path: string }> {
    return this.lsInfo();
  }
  write(path: string, content: string): { path: string } {
    this.files[path] = content.split("\n");
    return { path };
  }
  edit(path: string): { path: string; occurrences: number } {
    return { path, occurrences: 1 };
  }
  delete(path: string): { path: string } {
    delete this.files[path];
    return { path };
  }
}

describe("adaptBackendProtocol", () => {
  test("gives the first version the methods of the second", async () => {
    const adapted = adaptBackendProtocol(new LinesBackend());
    expect(await adapted.ls("/")).toEqual({ files: [{ path: "/a.txt" }] });
    expect(await adapted.read("/a.txt", 1, 1)).toMatchObject({
      content: "two\n",
      totalLines: 2,
      startLine: 2,
    });
    expect(await adapted.read("/a.txt", 7)).toMatchObject({ code: "invalid_range" });
    expect(await adapted.read("/none")).toMatchObject({ code: "not_found" });
    expect(await adapted.readRaw("/a.txt")).toMatchObject({
      data: { content: "one\ntwo\n", mimeType: "text/plain" },
    });
    expect(await adapted.grep("o", "/", null, 1)).toMatchObject({
      matches: [{ line: 1 }],
      truncated: true,
    });
    expect(await adapted.grep("(")).toMatchObject({ error: "bad pattern" });
    expect(await adapted.glob("*")).toEqual({ files: [{ path: "/a.txt" }] });
    expect(await adapted.delete?.("/a.txt")).toEqual({ path: "/a.txt" });
    expect(adapted.uploadFiles).toBeUndefined();
  });

  test("keeps properties, read through", () => {
    const adapted = adaptBackendProtocol(new LinesBackend());
    expect(CompositeBackend.isInstance(adapted)).toBe(true);
    expect(isSandboxBackend(adapted)).toBe(false);
    const box = Object.assign(new LinesBackend(), {
      id: "",
      execute: (command: string) => ({ output: command, exitCode: 0, truncated: false }),
    });
    const sandbox = adaptSandboxProtocol(box);
    expect(isSandboxBackend(sandbox)).toBe(false);
    box.id = "box-1";
    expect(isSandboxBackend(sandbox)).toBe(true);
    expect(sandbox.execute("ls")).toMatchObject({ output: "ls" });
  });

  test("leaves the second version as it is", () => {
    const memory = new MemoryBackend();
    expect(adaptBackendProtocol(memory)).toBe(memory);
  });

  test("works behind a route", async () => {
    const all = new CompositeBackend(new MemoryBackend(), { "/old": new LinesBackend() });
    expect(await all.read("/old/a.txt")).toMatchObject({ content: "one\ntwo\n" });
    expect(await all.grep("two")).toMatchObject({
      matches: [{ path: "/old/a.txt", line: 2, text: "two" }],
    });
  });
});

test("a factory works, and warns once", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const memory = new MemoryBackend();
  expect(await resolveBackend(memory, {})).toBe(memory);
  expect(
    await resolveBackend(
      (runtime: { n: number }) => (runtime.n === 1 ? memory : new MemoryBackend()),
      { n: 1 },
    ),
  ).toBe(memory);
  await resolveBackend(() => memory, {});
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith(
    expect.stringContaining("factories"),
    "DeprecationWarning",
    "FS_DEP_FACTORY",
  );
  warn.mockRestore();
});
