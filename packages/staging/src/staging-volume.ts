import { optionsOf } from "@fs/protocol/async";
import { countLines } from "@fs/protocol/hooks";
import { encodeText, listingOf, type Volume, VolumeError } from "@fs/protocol/author";
import { BASE_VERSION } from "./base-layer.js";
import { mergedGrep } from "./merged-grep.js";
import { mergedKinds, mergedList, mergedLook } from "./merged-list.js";
import { getManyStaged, getStaged } from "./get-staged.js";
import { putManyStaged } from "./put-many-staged.js";
import type { Layers } from "./layers.js";
import { putStaged } from "./put-staged.js";
import { removeStaged, removeStagedTree } from "./remove-staged.js";

/**
 * A base with staged changes over it, as one storage: every rule of files above it is the project's own. The base is read
 * and never written.
 */
export function stagingVolume(layers: Layers): Volume {
  const { upper, base } = layers;
  const refuseRoutes = (path: string): void => {
    if (base.routesWithin(path))
      throw new VolumeError("permission_denied", "A route cannot be removed or moved.", { path });
  };
  return {
    get: async (path, { signal }) => getStaged(layers, path, await upper.at(path, signal), signal),
    getMany: (paths, { signal }) => getManyStaged(layers, paths, signal),
    kindMany: (paths, { signal }) => mergedKinds(layers, paths, signal),
    putMany: (files, call) => putManyStaged(layers, files, call),
    put: (path, bytes, condition) => putStaged(layers, path, bytes, condition),
    remove: (path, condition) => removeStaged(layers, path, condition),
    list: (directory, query) =>
      listingOf(async function* () {
        yield await mergedList(layers, directory, query);
      }),
    stat: (path, { signal }) => mergedLook(layers, path, signal),
    grep: (query) => mergedGrep(layers, query),
    removeTree: async (path, { signal }) => {
      refuseRoutes(path);
      return removeStagedTree(layers, path, signal);
    },
    // Never done at once; only refused where it has to be.
    moveTree: async (from) => {
      refuseRoutes(from);
      return undefined;
    },
    readPage: async (path, { offset, limit, signal }) => {
      const { own, hidden } = await upper.at(path, signal);
      if (own !== undefined || hidden !== undefined) return undefined;
      const page = await base.files.backend.read(path, offset, limit, optionsOf(signal));
      // What is no page of text, the generic path answers or refuses in its own words.
      if (page.error || typeof page.content !== "string") return undefined;
      return {
        bytes: encodeText(page.content),
        lines: countLines(page.content),
        totalLines: page.totalLines,
        atEnd: page.nextOffset === undefined,
        version: page.version === undefined ? undefined : BASE_VERSION + page.version,
      };
    },
  };
}
