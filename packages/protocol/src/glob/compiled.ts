import { VolumeError } from "../errors/volume-error.js";
import type { CompiledGlob, PathGlob } from "./path-glob.js";

/** The compiled pattern. Throws its failure. */
export function compiled(result: CompiledGlob): PathGlob {
  if (result.failure !== undefined)
    throw new VolumeError(result.failure.code, result.failure.error);
  return result.glob;
}
