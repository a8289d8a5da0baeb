import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import { expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { startRedisForSuite } from "./redis-per-suite.js";

describeWithServer("redis", "A directory whose files would get paths that are too long", () => {
  const suite = startRedisForSuite();

  test.each(["move", "copy"] as const)("stays where it is (%s)", async (kind) => {
    const files = new RedisBackend({ client: suite.redis, namespace: randomUUID() });
    const deep = `/a/${Array.from({ length: 16 }, () => "d".repeat(250)).join("/")}/f`;
    await files.write(deep, "long");
    expect(await files[kind]("/a", `/${"b".repeat(200)}`)).toMatchObject({ code: "invalid_path" });
    expect((await files.glob("**")).files).toHaveLength(1);
    expect((await files.read(deep)).content).toBe("long");
    expect(await files[kind]("/a", "/b")).toEqual({ path: "/b", files: 1 });
  });
});
