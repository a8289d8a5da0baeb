import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend, prefixOf, type Listing, type ListQuery } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";

/** A volume that removes trees by itself, and keeps folder markers that no listing shows. */
class MarkedVolume extends MemoryVolume {
  readonly markers = new Set<string>();
  listings = 0;

  override list(directory: string, query: ListQuery): Listing {
    this.listings++;
    return super.list(directory, query);
  }

  async removeTree(path: string): Promise<number> {
    let removed = this.markers.delete(path) ? 1 : 0;
    for await (const entry of super.list(path, { deep: true })) {
      if (entry.path.startsWith(prefixOf(path)) && (await this.remove(entry.path, {}))) removed++;
    }
    return removed;
  }
}

describe("delete over a volume that removes trees", () => {
  test("does not ask first whether a path is a directory", async () => {
    const volume = new MarkedVolume();
    const backend = new VolumeBackend(volume);
    await backend.uploadFiles([
      ["/a/b/c", new Uint8Array(1)],
      ["/d", new Uint8Array(1)],
    ]);
    volume.listings = 0;
    expect(await backend.delete("/a/")).toEqual({ path: "/a" });
    expect(await backend.delete("/a")).toMatchObject({ code: "not_found" });
    expect(volume.listings).toBe(0);
    expect(await backend.delete("/d/")).toMatchObject({ code: "not_directory" });
  });

  test("removes an empty directory that only the volume knows", async () => {
    const volume = new MarkedVolume();
    volume.markers.add("/empty");
    const backend = new VolumeBackend(volume);
    expect(await backend.delete("/empty")).toEqual({ path: "/empty" });
    expect(await backend.delete("/empty")).toMatchObject({ code: "not_found" });
  });

  test("still refuses a version for a directory", async () => {
    const backend = new VolumeBackend(new MarkedVolume());
    await backend.uploadFiles([["/a/b", new Uint8Array(1)]]);
    const refused = await backend.delete("/a", { ifVersion: "1" });
    expect(refused.error).toBeDefined();
    expect((await backend.ls("/a")).files).toHaveLength(1);
  });
});
