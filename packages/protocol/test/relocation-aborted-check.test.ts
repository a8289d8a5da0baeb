import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type PutCondition, type VolumeFile } from "@fs/protocol/author";
import { expect, test } from "vitest";

/** Files whose versions are hashes of their contents. */
class HashedVolume extends MemoryVolume {
  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(path);
    return file === undefined ? file : { ...file, version: hash(file.bytes) };
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    { ifVersion, ...rest }: PutCondition,
  ): Promise<{ version: string }> {
    const file = await super.get(path);
    const same = file !== undefined && hash(file.bytes) === ifVersion;
    const own = ifVersion === undefined ? {} : { ifVersion: same ? file.version : "another" };
    await super.put(path, bytes, { ...rest, ...own });
    return { version: hash(bytes) };
  }
}

function hash(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex");
}

test("a move that is aborted while it asks whether both are one file does not say that they are", async () => {
  const files = new VolumeBackend(new HashedVolume());
  await files.write("/from", "moved");
  await files.write("/to", "replaced");
  const controller = new AbortController();
  const moving = files.move("/from", "/to", { overwrite: true, signal: controller.signal });
  await delay(400);
  controller.abort();
  const { code, error } = await moving;
  expect(["aborted", "unavailable"]).toContain(code);
  expect(error).toMatch(/may /);
  const [from, to] = [await files.read("/from"), await files.read("/to")];
  expect([from.content, to.content]).toEqual(["moved", "moved"]);
});
