import { MemoryBackend } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { behindRoute, withoutHooks, type Harness } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY, VARIANT } from "@fs/test-servers/variants";
import { OddVolume } from "./odd-volumes.js";

/** One volume per namespace, so that a peer and a restart see the same files. */
function memory(name: string, odd: boolean): Harness {
  const volumes = new Map<string, OddVolume>();
  const volumeOf = ({ ns }: { ns: string }): OddVolume => {
    const volume = volumes.get(ns) ?? new OddVolume(odd);
    volumes.set(ns, volume);
    return volume;
  };
  const client = (of: { ns: string }): VolumeBackend => new VolumeBackend(volumeOf(of));
  return {
    name,
    create: client,
    peer: client,
    reopen: client,
    meter: (instance) => ({ requests: volumeOf(instance).requests }),
    outOfBand: (instance) => ({
      put: async (path, bytes) => void (await volumeOf(instance).put(path, bytes, {})),
      get: async (path) => (await volumeOf(instance).get(path))?.bytes,
    }),
    faults: (instance) => ({
      cut: () => {
        volumeOf(instance).down = true;
        return () => {
          volumeOf(instance).down = false;
        };
      },
    }),
    profile: { durable: true },
    teardown: () => volumes.clear(),
  };
}

const plain = memory("memory", false);
conformance(plain);
// It has no hooks of its own to differ by.
conformance(withoutHooks(plain), VARIANT);
conformance(behindRoute(plain), BESIDE_MEMORY);

// Correct, though late and in no order: nothing here may fail.
conformance(memory("memory with random latency and reversed listings", true), {
  skip: ["scale/directory-1001", "scale/directory-101", ...(BESIDE_MEMORY.skip ?? [])],
});

conformance({
  name: "memory that overwrites, with a limit",
  create: () => new MemoryBackend({ writeMode: "overwrite", maxFileBytes: 300_000 }),
  profile: { writeMode: "overwrite", limits: { fileBytes: 300_000 } },
});
