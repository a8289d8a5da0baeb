import { VolumeBackend, type VolumeBackendOptions } from "../backend/volume-backend.js";
import { MemoryVolume } from "./memory-volume.js";

/** Files that live as long as the process: for tests, scratch space and examples. */
export class MemoryBackend extends VolumeBackend {
  constructor(options: VolumeBackendOptions = {}) {
    super(new MemoryVolume(), options);
  }
}
