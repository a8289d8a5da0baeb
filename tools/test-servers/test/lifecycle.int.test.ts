import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startRedis } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { expect, test } from "vitest";
import { isListening } from "../src/ports.js";

describeWithServer("redis", "the life of a server", () => {
  test("stop() twice is one stop, and leaves no folder", async () => {
    const server = await startRedis({ durable: true });
    await server.stop();
    await server.stop();
    expect(existsSync(String(server.directory))).toBe(false);
  });

  test("kill() and restart() only in turn", async () => {
    const server = await startRedis({ durable: true });
    await expect(server.restart()).rejects.toThrow("cannot restart a running server");
    await server.kill();
    await expect(server.kill()).rejects.toThrow("cannot kill a killed server");
    await server.stop();
    await expect(server.restart()).rejects.toThrow("cannot restart a stopped server");
  });

  // A process of its own owns the server here, so that it can be ended in every way.
  test.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
    "a server does not outlive its owner's %s",
    async (signal) => {
      const owner = fileURLToPath(new URL("fixture/owner.mjs", import.meta.url));
      const child = spawn(process.execPath, [owner], { stdio: ["ignore", "pipe", "inherit"] });
      const printed = await new Promise<string>((resolve, reject) => {
        child.stdout.once("data", (data: Buffer) => resolve(data.toString()));
        child.once("exit", (code) => reject(new Error(`the owner ended early: ${code}`)));
      });
      const [port, directory = ""] = [Number(printed.split(" ")[0]), printed.split(" ")[1]];
      expect(await isListening(port)).toBe(true);
      const ended = new Promise<NodeJS.Signals | null>((resolve) => {
        child.once("exit", (_code, by) => resolve(by));
      });
      child.kill(signal);
      expect(await ended).toBe(signal);
      while (await isListening(port)) await sleep(20);
      expect(await isListening(port)).toBe(false);
      // Nobody can tidy up after its own SIGKILL.
      if (signal === "SIGKILL") await rm(directory, { recursive: true });
      expect(existsSync(directory)).toBe(false);
    },
  );
});
