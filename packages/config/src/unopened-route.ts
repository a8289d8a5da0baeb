import type { Filesystem } from "@fs/protocol";
import { type Listing, VolumeBackend, VolumeError, type Volume } from "@fs/protocol/author";

/**
 * Stands where a route was not opened. Nothing is read there and nothing stored: a call that comes here was not in the scope
 * that its tree was opened for, and is `unavailable`.
 */
export function unopenedRoute(): Filesystem {
  return new VolumeBackend(new UnopenedVolume());
}

class UnopenedVolume implements Volume {
  async get(): Promise<never> {
    throw new VolumeError("unavailable");
  }

  async put(): Promise<never> {
    throw new VolumeError("unavailable");
  }

  async remove(): Promise<never> {
    throw new VolumeError("unavailable");
  }

  // oxlint-disable-next-line require-yield -- there is nothing to list.
  async *list(): Listing {
    throw new VolumeError("unavailable");
  }
}
