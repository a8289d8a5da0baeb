import type { BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend, type Volume } from "@fs/protocol/author";
import { overlay } from "./mutant.js";

/** A backend that answers wrongly while its storage fails, and the case that must notice it. */
export interface FaultMutant {
  readonly by: string;
  readonly bug: string;
  /** Over a storage that can fail. */
  create(storage: Volume): BackendProtocolV2;
}

/** A backend with wrong methods over the storage. */
export function wrongAbove(
  by: string,
  bug: string,
  overrides: (inner: VolumeBackend) => Partial<BackendProtocolV2>,
): FaultMutant {
  const create = (storage: Volume): BackendProtocolV2 => {
    const inner = new VolumeBackend(storage);
    return overlay(inner, overrides(inner));
  };
  return { by, bug, create };
}

/** A correct backend over a storage whose driver is used wrongly. */
export function wrongBelow(
  by: string,
  bug: string,
  overrides: (storage: Volume) => Partial<Volume>,
): FaultMutant {
  const create = (storage: Volume): BackendProtocolV2 => {
    const replaced = overrides(storage);
    const volume = new Proxy(storage, {
      get: (target, name) =>
        name in replaced ? Reflect.get(replaced, name) : Reflect.get(target, name),
    });
    return new VolumeBackend(volume);
  };
  return { by, bug, create };
}
