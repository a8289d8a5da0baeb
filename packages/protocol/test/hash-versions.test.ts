import { VolumeBackend } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { HashVolume } from "./hash-volume.js";

async function moved(state: Partial<HashVolume>, to: string): Promise<unknown[]> {
  const volume = new HashVolume();
  const files = new VolumeBackend(volume);
  await files.write("/from", "same");
  await files.write("/to", "same");
  Object.assign(volume, state);
  const { code } = await files.move("/from", to, { overwrite: true });
  return [code, (await files.read("/from")).content, (await files.read(to)).content];
}

describe("a move onto the same content, which has the same version", () => {
  test("removes the source of two files, and keeps the content", async () => {
    expect(await moved({}, "/to")).toEqual([undefined, undefined, "same"]);
  });

  test("keeps both paths of what is one file", async () => {
    expect(await moved({ aliased: true }, "/alias")).toEqual(["conflict", "same", "same"]);
  });

  test("restores a file that is its own copy, where its time does not show that", async () => {
    const one = await moved({ aliased: true, frozen: true }, "/alias");
    expect(one).toEqual(["conflict", "same", "same"]);
  });

  test("keeps the content where two moves in opposite directions meet, at whatever moment (A7)", async () => {
    const left = await Promise.all(
      Array.from({ length: 160 }, async (_, microtasks) => {
        const volume = new HashVolume();
        const clients = [new VolumeBackend(volume), new VolumeBackend(volume)] as const;
        await clients[0].write("/from", "from");
        await clients[0].write("/to", "to");
        const there = clients[0].move("/from", "/to", { overwrite: true });
        for (let n = 0; n < microtasks; n++) await Promise.resolve();
        const back = clients[1].move("/to", "/from", { overwrite: true });
        await Promise.all([there, back]);
        return (await clients[0].glob("**")).files?.length;
      }),
    );
    expect(Math.min(...left.map(Number))).toBeGreaterThan(0);
  });

  test("stores the content once more where another client removes the copy meanwhile (M9)", async () => {
    const volume = new HashVolume();
    const files = new VolumeBackend(volume);
    await files.write("/from", "moved");
    await files.write("/to", "replaced");
    const pending = files.move("/from", "/to", { overwrite: true });
    const copied = async () => (await volume.get("/to"))?.version;
    await expect.poll(copied).toBe("hash of moved");
    expect(await volume.remove("/to", {})).toBe(true);
    expect((await pending).code).toBe("conflict");
    expect((await files.read("/to")).content).toBe("moved");
    expect((await files.read("/from")).code).toBe("not_found");
  });

  test("keeps both where the storage has no times", async () => {
    expect(await moved({ timed: false }, "/to")).toEqual(["conflict", "same", "same"]);
  });
});
