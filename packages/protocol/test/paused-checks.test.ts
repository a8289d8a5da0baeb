import { MemoryBackend, type PermissionRequest, withPermissions, withQuota } from "@fs/protocol";
import { describe, expect, it } from "vitest";

const RULES = [{ operations: ["delete"], paths: ["/d/*.md"], mode: "interrupt" }] as const;

class Pause extends Error {}

describe("a prompt that throws to pause a run", () => {
  it.each(["delete", "move"] as const)("pauses a %s of a directory", async (method) => {
    const files = new MemoryBackend();
    await files.write("/d/b.md", "b");
    const asked: PermissionRequest[] = [];
    const guarded = withPermissions(files, RULES, {
      onInterrupt: (request) => {
        asked.push(request);
        throw new Pause();
      },
    });
    const call = method === "delete" ? guarded.delete?.("/d") : guarded.move?.("/d", "/e");
    await expect(call).rejects.toBeInstanceOf(Pause);
    expect(asked).toEqual([{ method, operation: "delete", path: "/d", below: ["/d/b.md"] }]);
    expect((await files.read("/d/b.md")).content).toBe("b");
  });

  it("gets out through a quota", async () => {
    const guarded = withPermissions(new MemoryBackend(), RULES, {
      onInterrupt: () => {
        throw new Pause();
      },
    });
    await guarded.write("/d/b.md", "b");
    await expect(withQuota(guarded, { files: 9 }).delete?.("/d/b.md")).rejects.toBeInstanceOf(
      Pause,
    );
  });
});
