import {
  CompositeBackend,
  ConfigurationError,
  type FilesystemPermission,
  isSandboxBackend,
  MemoryBackend,
  readOnly,
  withPermissions,
} from "@fs/protocol";
import { describe, expect, it } from "vitest";
import { RULES, filled } from "./secret-rules.js";

describe("what rules mean", () => {
  it("lets the first match decide and allows what no rule is about", async () => {
    const guarded = withPermissions(new MemoryBackend(), [
      { operations: ["write"], paths: ["/project/**"] },
      { operations: ["write"], paths: ["/**"], mode: "deny" },
    ]);
    expect(await guarded.write("/project/a.txt", "a")).toMatchObject({ path: "/project/a.txt" });
    expect((await guarded.write("/b.txt", "b")).code).toBe("permission_denied");
    expect((await guarded.read("/project/a.txt")).content).toBe("a");
  });

  it("takes each alternative in braces, and a directory with what lies below it", async () => {
    const inner = await filled({ "/a/x": "x", "/b/x": "x", "/c/x": "x" });
    const guarded = withPermissions(inner, [
      { operations: ["read", "delete"], paths: ["/{a,b}/**"], mode: "deny" },
    ]);
    for (const path of ["/a", "/b", "/a/x"]) {
      expect((await guarded.delete?.(path))?.code).toBe("permission_denied");
      expect((await guarded.read(path)).code).toBe("permission_denied");
    }
    expect((await guarded.read("/c")).code).toBe("is_directory");
    expect((await guarded.ls("/")).files?.map((file) => file.path)).toEqual(["/c/"]);
  });

  it("shows the way to what a whitelist allows, and nothing else", async () => {
    const files = { "/project/in/a.txt": "a", "/project/b.txt": "b", "/free/c.txt": "c" };
    const guarded = withPermissions(await filled(files), [
      { operations: ["read"], paths: ["/project/in/**"] },
      { operations: ["read"], paths: ["/**"], mode: "deny" },
    ]);
    expect((await guarded.ls("/")).files?.map((file) => file.path)).toEqual(["/project/"]);
    expect((await guarded.ls("/project")).files?.map((file) => file.path)).toEqual([
      "/project/in/",
    ]);
    expect((await guarded.glob("**/*")).files?.map((file) => file.path)).toEqual([
      "/project/in/a.txt",
    ]);
    expect((await guarded.ls("/free")).code).toBe("permission_denied");
  });

  it("checks everything that a recursive delete, move or copy touches", async () => {
    const files = { "/project/a.log": "a", "/project/notes.txt": "n", "/free/x.txt": "x" };
    const inner = await filled(files);
    const guarded = withPermissions(inner, [
      { operations: ["delete"], paths: ["/project/*.log"], mode: "deny" },
      { operations: ["write"], paths: ["/vault/**"], mode: "deny" },
    ]);
    expect((await guarded.delete?.("/project"))?.code).toBe("permission_denied");
    expect((await guarded.move?.("/project", "/elsewhere"))?.code).toBe("permission_denied");
    expect((await guarded.copy?.("/free", "/vault"))?.code).toBe("permission_denied");
    expect((await guarded.move?.("/free/x.txt", "/vault/x.txt"))?.code).toBe("permission_denied");
    expect((await guarded.delete?.("/project/notes.txt"))?.error).toBeUndefined();
    expect((await guarded.delete?.("/free"))?.error).toBeUndefined();
    expect((await inner.read("/project/a.log")).content).toBe("a");
  });

  it("takes a rule about writing for one about deleting, unless an earlier one names deleting", async () => {
    const write: FilesystemPermission = { operations: ["write"], paths: ["/a/**"], mode: "deny" };
    const inner = await filled({ "/a/x": "x" });
    expect((await withPermissions(inner, [write]).delete?.("/a/x"))?.code).toBe(
      "permission_denied",
    );
    const exempt = withPermissions(inner, [{ operations: ["delete"], paths: ["/a/**"] }, write]);
    expect((await exempt.delete?.("/a/x"))?.error).toBeUndefined();
  });

  it("asks a human where a rule says so, and denies without one", async () => {
    const inner = await filled({ "/plan.md": "old", "/dir/a": "a", "/dir/b": "b" });
    const rules: FilesystemPermission[] = [
      { operations: ["write"], paths: ["/plan.md", "/dir/*"], mode: "interrupt" },
    ];
    expect((await withPermissions(inner, rules).edit("/plan.md", "old", "new")).code).toBe(
      "permission_denied",
    );
    const asked: unknown[] = [];
    const guarded = withPermissions(inner, rules, {
      onInterrupt: (request) => {
        asked.push(request);
        return request.path === "/plan.md";
      },
    });
    expect((await guarded.edit("/plan.md", "old", "new")).error).toBeUndefined();
    expect((await guarded.delete?.("/dir"))?.code).toBe("permission_denied");
    expect(asked).toEqual([
      { method: "edit", operation: "write", path: "/plan.md" },
      { method: "delete", operation: "delete", path: "/dir", below: ["/dir/a", "/dir/b"] },
    ]);
  });

  it("asks about a command, which it shows", async () => {
    const shell = Object.assign(new MemoryBackend(), {
      id: "shell",
      execute: (command: string) => ({ output: command, exitCode: 0, truncated: false }),
    });
    const rule: FilesystemPermission = {
      operations: ["execute"],
      paths: ["/**"],
      mode: "interrupt",
    };
    const guarded = withPermissions(shell, [rule], {
      onInterrupt: ({ command }) => command === "make",
    });
    if (!isSandboxBackend(guarded)) throw new Error("execute is gone");
    expect((await guarded.execute("make")).output).toBe("make");
    expect(await guarded.execute("rm -rf /")).toMatchObject({
      code: "permission_denied",
      exitCode: null,
    });
  });

  it("transfers the allowed files of a batch and answers for the rest in order", async () => {
    const guarded = withPermissions(
      await filled({ "/a": "a", "/secrets/k": "k", "/b": "b" }),
      RULES,
    );
    const fetched = await guarded.downloadFiles?.(["/a", "/secrets/k", "/none", "/b"]);
    expect(fetched?.map(({ error }) => error)).toEqual([
      null,
      "permission_denied",
      "file_not_found",
      null,
    ]);
  });
});

describe("what is refused at construction", () => {
  const shell = Object.assign(new MemoryBackend(), {
    id: "shell",
    execute: () => ({ output: "ran", exitCode: 0, truncated: false }),
  });

  it("refuses rules that a shell would evade", () => {
    expect(() => withPermissions(shell, RULES)).toThrow(ConfigurationError);
    expect(() => withPermissions(new CompositeBackend(shell, {}), RULES)).toThrow(
      ConfigurationError,
    );
  });

  it("accepts them without the shell, or scoped to a route", async () => {
    const without = withPermissions(shell, RULES, { execute: false });
    expect("execute" in without).toBe(false);
    expect(
      "execute" in
        withPermissions(shell, [
          { operations: ["execute"], paths: ["/**"], mode: "deny" },
          ...RULES,
        ]),
    ).toBe(false);
    const routed = withPermissions(
      new CompositeBackend(shell, { "/secrets/": new MemoryBackend() }),
      RULES,
    );
    expect("execute" in routed).toBe(true);
    expect("routePrefixes" in routed && routed.routePrefixes).toEqual(["/secrets/"]);
    expect((await routed.read("/secrets/x")).code).toBe("permission_denied");
  });

  it("refuses rules that a followed link would evade, and only those", () => {
    const linked = (): MemoryBackend => Object.assign(new MemoryBackend(), { linkRoots: ["/"] });
    const secrets = { "/secrets/": new MemoryBackend() };
    expect(() => withPermissions(linked(), RULES)).toThrow(ConfigurationError);
    expect(() => withPermissions(readOnly(linked()), RULES)).toThrow(ConfigurationError);
    expect(() => withPermissions(linked(), [])).not.toThrow();
    expect(() => withPermissions(new CompositeBackend(linked(), {}), RULES)).toThrow(
      ConfigurationError,
    );
    const inRoute = new CompositeBackend(new MemoryBackend(), { "/secrets/": linked() });
    expect(() => withPermissions(inRoute, RULES)).toThrow(ConfigurationError);
    expect(() => withPermissions(new CompositeBackend(linked(), secrets), RULES)).not.toThrow();
    const beside = new CompositeBackend(new MemoryBackend(), { "/disk/": linked() });
    expect(() => withPermissions(beside, RULES)).not.toThrow();
  });

  it("refuses half a rule", () => {
    const bad: unknown[] = [
      { operations: ["read"], paths: ["relative/**"], mode: "deny" },
      { operations: ["read"], paths: ["/a/../b"], mode: "deny" },
      { operations: ["read"], paths: ["/["], mode: "deny" },
      { operations: ["read"], paths: ["/~/x"], mode: "deny" },
      { operations: ["read"], paths: [], mode: "deny" },
      { operations: [], paths: ["/**"], mode: "deny" },
      { operations: ["look"], paths: ["/**"], mode: "deny" },
      { operations: ["read"], paths: ["/**"], mode: "forbid" },
    ];
    for (const rule of bad) {
      expect(() => withPermissions(new MemoryBackend(), [rule as FilesystemPermission])).toThrow(
        ConfigurationError,
      );
    }
  });
});
