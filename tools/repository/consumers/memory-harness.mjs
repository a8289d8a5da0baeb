import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";

// Two clients of one storage.
const volumes = new Map();
function open({ ns }) {
  if (!volumes.has(ns)) volumes.set(ns, new MemoryVolume());
  return new VolumeBackend(volumes.get(ns));
}

// Expressions need an optional package, which is not installed here.
export default { name: "memory", create: open, peer: open, profile: { regex: false } };
