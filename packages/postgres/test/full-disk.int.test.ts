import { randomBytes } from "node:crypto";
import { chownSync, statSync } from "node:fs";
import { mountSmallDisk } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fixture } from "./test-backends.js";

const disk = mountSmallDisk(8);
afterAll(() => disk?.remove());

describeWithServer("postgres", "a full disk", () => {
  describe.runIf(disk !== undefined)(
    "of its own for the table (needs root, and leave to mount)",
    () => {
      let fixture: Fixture;
      beforeAll(async () => {
        fixture = await Fixture.start();
        const { directory } = fixture.server;
        if (disk === undefined || directory === undefined) return;
        const { uid, gid } = statSync(directory);
        chownSync(disk.path, uid, gid);
        await fixture.pool.query(`create tablespace small location '${disk.path}'`);
        await fixture.pool.query("alter table fs_files set tablespace small");
      });
      afterAll(async () => {
        await fixture.pool.query("drop table fs_files");
        await fixture.pool.query("drop tablespace if exists small");
        await fixture[Symbol.asyncDispose]();
      });

      test("changes that need room are refused with their own code, and nothing else happens", async ({
        skip,
      }) => {
        if (fixture.server.external) skip("the server has another disk");
        const files = fixture.backend();
        // What a disk cannot pack: more of it than a page has room for.
        const large = randomBytes(200_000).toString("base64");
        await files.write("/a", "small\n");
        await files.write("/d/large", large);
        await fixture.pool.query("create table filler (block text) tablespace small");
        await fixture.pool.query("alter table filler alter column block set storage plain");
        const grow = fixture.pool.query(
          "insert into filler select repeat('x', 8000) from generate_series(1, 5000)",
        );
        await expect(grow).rejects.toMatchObject({ code: "53100" });
        for (;;)
          try {
            await fixture.pool.query("insert into filler values (repeat('x', 8000))");
          } catch (error) {
            expect(error).toMatchObject({ code: "53100" });
            break;
          }
        for (const refused of [
          await files.write("/b", large),
          await files.edit("/a", "small", large),
          await files.copy("/d/large", "/c"),
          await files.copy("/d", "/e"),
        ]) {
          expect(refused.code).toBe("quota_exceeded");
          expect(refused.error).toContain("no room left");
        }
        expect(await files.uploadFiles([["/b", Buffer.from(large)]])).toMatchObject([
          { code: "quota_exceeded" },
        ]);
        expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/a", "/d/large"]);
        expect((await files.read("/a")).content).toBe("small\n");
        expect((await files.readRaw("/d/large")).data?.content).toBe(large);
        await fixture.pool.query("drop table filler");
        expect(await files.write("/b", large)).toMatchObject({ path: "/b" });
      });
    },
  );
});
