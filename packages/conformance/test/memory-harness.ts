import { VolumeBackend } from "@fs/protocol/author";
import type { Harness } from "@fs/conformance";
import { OddVolume } from "./odd-volumes.js";

/** One volume per namespace, so that a peer and a restart see the same files. */
export function memory(name: string, odd: boolean): Harness {
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
