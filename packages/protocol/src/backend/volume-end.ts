import type { VolumeContext } from "./context.js";
import { getAll } from "./download-batch.js";
import { statPath } from "./find.js";
import { LeftOut } from "./left-out.js";
import { removeEmptyDirectories } from "./remove-path.js";
import { storeFiles } from "./store-files.js";
import { visitDirectory } from "./visit-entries.js";
import type { TreeAccess } from "../call/tree-access.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { refuseAborted } from "../concurrency/refuse-aborted.js";
import { VolumeError } from "../errors/volume-error.js";
import type { VolumeCall } from "../spi/volume.js";
import type { FileBelow, RelocationEnd } from "../relocation/ends.js";

/** A volume as both ends of a relocation within it. */
export function volumeEnd(context: VolumeContext, call: VolumeCall): RelocationEnd {
  const { volume, queue, concurrency } = context;
  return {
    versioned: () => true,
    stat: (path) => statPath(volume, path, call),
    filesBelow: (directory) => filesBelow(context, directory, call),
    get: (paths) => getAll(context, paths, call),
    async put(files) {
      const stored = await outcomeOf(() => storeFiles(context, files, call));
      return stored.status === "fulfilled" ? stored.value : files.map(() => stored);
    },
    async remove(files) {
      const versioned = files.flatMap(([path, version]) =>
        version === undefined ? [] : [[path, version] as const],
      );
      if (files.length > 1 && versioned.length === files.length) {
        const batch = await outcomeOf(async () => volume.removeMany?.(versioned, call));
        if (batch.status === "rejected") return files.map(() => batch);
        if (batch.value !== undefined) return batch.value;
      }
      return mapConcurrently(files, concurrency, ([path, version]) =>
        outcomeOf(() =>
          // In a row per path, so that of several moves in this process the late ones find nothing.
          queue.run(
            path,
            async () => {
              refuseAborted(call.signal);
              return volume.remove(
                path,
                version === undefined ? call : { ...call, ifVersion: version },
              );
            },
            call.signal,
          ),
        ),
      );
    },
    removeEmpty: (directory, unlisted) => removeEmptyDirectories(volume, directory, call, unlisted),
  };
}

/** Every file below a directory of a volume, whatever an agent may see of them. Throws `permission_denied` unless it is all. */
async function filesBelow(
  { volume }: VolumeContext,
  directory: string,
  call: VolumeCall,
): Promise<FileBelow[]> {
  const files: FileBelow[] = [];
  const leftOut = new LeftOut();
  const query = { ...call, deep: true, onUnreadable: leftOut.note };
  await visitDirectory(volume, directory, query, ({ kind, path, size }) => {
    if (kind === "file") files.push({ path, size });
  });
  if (leftOut.any) throw new VolumeError("permission_denied", undefined, { path: directory });
  return files;
}

/** The trees of a volume, for callers above the protocol. */
export function volumeTree(context: VolumeContext): TreeAccess {
  return {
    filesBelow: (directory, call) => filesBelow(context, directory, call),
    removeEmpty: (directory, call, unlisted) =>
      removeEmptyDirectories(context.volume, directory, call, unlisted),
  };
}
