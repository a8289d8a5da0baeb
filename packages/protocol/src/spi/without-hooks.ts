import type { Volume } from "./volume.js";

/** The same storage through the four primitives alone: what the conformance suite compares a volume's hooks with. */
export function withoutHooks(volume: Volume): Volume {
  return {
    ...(volume.directories === undefined ? {} : { directories: volume.directories }),
    ...(volume.collisions === undefined ? {} : { collisions: volume.collisions }),
    ...(volume.callTimeoutMs === undefined ? {} : { callTimeoutMs: volume.callTimeoutMs }),
    get: (path, call) => volume.get(path, call),
    put: (path, bytes, condition) => volume.put(path, bytes, condition),
    remove: (path, condition) => volume.remove(path, condition),
    list: (directory, query) => volume.list(directory, query),
    ...(volume.close === undefined ? {} : { close: () => volume.close?.() ?? Promise.resolve() }),
  };
}
