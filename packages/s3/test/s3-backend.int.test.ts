import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { S3Backend } from "@fs/s3";
import { startGateway, type Gateway } from "./gateway.js";

describeWithServer("s3", "S3Backend on a real gateway", () => {
  let gateway: Gateway;
  let client: S3Client;
  let prefix = "";
  let backend: S3Backend;
  let count = 0;

  beforeAll(async () => {
    gateway = await startGateway();
    client = gateway.client();
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    prefix = `case-${count++}`;
    backend = new S3Backend({ client, bucket: gateway.bucket, prefix });
  });

  const put = (key: string, body = ""): Promise<unknown> =>
    client.send(
      new PutObjectCommand({
        Bucket: gateway.bucket,
        Key: `${prefix}/${key}`,
        Body: Buffer.from(body),
      }),
    );

  test("writes, reads, edits, lists and deletes", async () => {
    expect(await backend.write("/a/b.txt", "one\n")).toMatchObject({ path: "/a/b.txt" });
    expect(await backend.write("/a/b.txt", "two\n")).toMatchObject({ code: "already_exists" });
    expect(await backend.read("/a/b.txt")).toMatchObject({
      content: "one\n",
      mimeType: "text/plain",
    });
    expect(await backend.edit("/a/b.txt", "one", "two")).toMatchObject({ occurrences: 1 });
    expect((await backend.read("/a/b.txt")).content).toBe("two\n");
    expect(await backend.ls("/")).toEqual({ files: [{ path: "/a/", is_dir: true }] });
    expect((await backend.ls("/a")).files).toMatchObject([{ path: "/a/b.txt", size: 4 }]);
    expect(await backend.delete("/a")).toMatchObject({ path: "/a" });
    expect(await backend.ls("/")).toEqual({ files: [] });
  });

  test("of many writers of one path exactly one wins, across clients", async () => {
    const peers = Array.from(
      { length: 4 },
      () => new S3Backend({ client: gateway.client(), bucket: gateway.bucket, prefix }),
    );
    const results = await Promise.all(peers.map((peer, i) => peer.write("/race", `w${i}`)));
    expect(results.filter((r) => r.error === undefined)).toHaveLength(1);
    expect(results.filter((r) => r.code === "already_exists")).toHaveLength(3);
  });

  test("an upload that runs beside another client's edit is never acknowledged and lost", async () => {
    const peer = new S3Backend({ client: gateway.client(), bucket: gateway.bucket, prefix });
    const lost: string[] = [];
    for (let round = 0; round < 60; round++) {
      const path = `/beside-${round}`;
      await backend.write(path, "old");
      const [[uploaded], edited] = await Promise.all([
        backend.uploadFiles([[path, Buffer.from("new")]]),
        peer.edit(path, "old", "edited"),
      ]);
      expect(uploaded?.error).toBeNull();
      // The edit finds nothing to replace after the upload, so whatever its answer, the upload is the last.
      const { content } = await backend.read(path);
      if (content !== "new")
        lost.push(`${path}: ${String(content)}, the edit ${edited.code ?? "done"}`);
    }
    expect(lost).toEqual([]);
  });

  test("parallel edits of two clients all arrive", async () => {
    const peer = new S3Backend({ client: gateway.client(), bucket: gateway.bucket, prefix });
    await backend.write("/n", Array.from({ length: 20 }, (_, i) => `<${i}>\n`).join(""));
    const edits = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? backend : peer).edit("/n", `<${i}>`, `done ${i}`),
    );
    for (const result of await Promise.all(edits)) expect(result.error).toBeUndefined();
    expect((await backend.read("/n")).content).not.toContain("<");
  });

  test("keeps created_at and the headers of other tools through an edit", async () => {
    await client.send(
      new PutObjectCommand({
        Bucket: gateway.bucket,
        Key: `${prefix}/x.txt`,
        Body: "old",
        CacheControl: "max-age=60",
        Metadata: { owner: "me", "fs-created-at": "2020-01-02T03:04:05.000Z" },
      }),
    );
    expect(await backend.edit("/x.txt", "old", "new")).toMatchObject({ occurrences: 1 });
    const raw = await backend.readRaw("/x.txt");
    expect(raw.data?.created_at).toBe("2020-01-02T03:04:05.000Z");
    const { HeadObjectCommand } = await import("@aws-sdk/client-s3");
    const head = await client.send(
      new HeadObjectCommand({ Bucket: gateway.bucket, Key: `${prefix}/x.txt` }),
    );
    expect(head).toMatchObject({ CacheControl: "max-age=60", Metadata: { owner: "me" } });
  });

  test("understands the folder markers of other tools, and leaves none behind", async () => {
    await put("docs/");
    await put("docs/a.txt", "a");
    await put("empty/");
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual(["/docs/", "/empty/"]);
    expect((await backend.ls("/docs")).files?.map((f) => f.path)).toEqual(["/docs/a.txt"]);
    expect(await backend.ls("/empty")).toEqual({ files: [] });
    expect((await backend.glob("**")).files?.map((f) => f.path)).toEqual(["/docs/a.txt"]);
    expect(await backend.delete("/docs")).toMatchObject({ path: "/docs" });
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual(["/empty/"]);
    expect(await backend.delete("/empty/")).toMatchObject({ path: "/empty" });
    expect((await backend.ls("/")).files).toEqual([]);
  });

  test("hides keys that no path can spell, and never leaves the prefix", async () => {
    await put("ok.txt", "ok");
    await put("a//b", "x");
    await put("c/../d", "x");
    const neighbour = new S3Backend({ client, bucket: gateway.bucket, prefix: `${prefix}2` });
    await neighbour.write("/secret.txt", "ok");
    expect((await backend.glob("**")).files?.map((f) => f.path)).toEqual(["/ok.txt"]);
    expect((await backend.grep("ok")).matches?.map((m) => m.path)).toEqual(["/ok.txt"]);
    expect(await backend.read("/../secret.txt")).toMatchObject({ code: "invalid_path" });
  });
});
