import { MemoryBackend, MemoryVolume, VolumeBackend } from "@fs/protocol";
import { behindRoute, withoutHooks, type Harness } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";

const volumes = new Map<string, MemoryVolume>();

function client({ ns }: { ns: string }): VolumeBackend {
  const volume = volumes.get(ns) ?? new MemoryVolume();
  volumes.set(ns, volume);
  return new VolumeBackend(volume);
}

const memory: Harness = {
  name: "memory",
  create: client,
  peer: client,
  reopen: client,
  profile: { durable: true },
  teardown: () => volumes.clear(),
};

conformance(memory);
conformance(withoutHooks(memory));
conformance(behindRoute(memory));

conformance({
  name: "memory that overwrites, with a limit",
  create: () => new MemoryBackend({ writeMode: "overwrite", maxFileBytes: 300_000 }),
  profile: { writeMode: "overwrite", limits: { fileBytes: 300_000 } },
});
