import { canonicalPath } from "../paths/path.js";
import type { Feature, Filesystem } from "../types/protocol.js";
import { type MountTable, toInner } from "./mount-table.js";

/** What every mount of a composite offers. */
export function commonFeatures(table: MountTable): readonly Feature[] {
  const [first = [], ...rest] = table.mounts().map(({ backend }) => offered(backend, "/"));
  return first.filter((feature) => rest.every((others) => others.includes(feature)));
}

/** What the owner of a path offers there; nothing for what is no path. */
export function featuresOfOwner(table: MountTable, path: unknown): readonly Feature[] {
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined) return [];
  const mount = table.ownerOf(canonical.path);
  return offered(mount.backend, toInner(mount, canonical.path));
}

/** Composites leave `watch` out, so it is not a feature of theirs. */
function offered(backend: Filesystem, inner: string): readonly Feature[] {
  const features = backend.featuresAt?.(inner) ?? backend.features ?? [];
  return features.filter((feature) => feature !== "watch");
}
