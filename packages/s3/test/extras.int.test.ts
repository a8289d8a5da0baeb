import {
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { S3Backend } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordCommands, startGateway, type Gateway } from "./gateway.js";

describeWithServer("s3", "signed addresses, streams, moves", () => {
  let gateway: Gateway;
  let client: S3Client;
  let sent: string[];
  let prefix = "";
  let backend: S3Backend;
  let cases = 0;

  beforeAll(async () => {
    gateway = await startGateway();
    client = gateway.client();
    sent = recordCommands(client);
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    prefix = `case-${cases++}`;
    backend = new S3Backend({ client, bucket: gateway.bucket, prefix });
  });

  test("a signed address reads one file, with its type, and costs no request", async () => {
    await backend.write("/ü %&?#.html", "<p>ü</p>");
    sent.length = 0;
    const { url = "", expiresAt = "" } = await backend.presign("/ü %&?#.html", { expiresIn: 60 });
    // The presigner runs the command's middleware, but sends nothing.
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toBe("<p>ü</p>");
    expect((await fetch(url.replace(/X-Amz-Signature=./, "X-Amz-Signature=0"))).status).toBe(403);
  });

  test("a signed address is refused with a code for what makes no sense", async () => {
    expect(await backend.presign("/a/../b")).toMatchObject({ code: "invalid_path" });
    expect(await backend.presign("/")).toMatchObject({ code: "is_directory" });
    for (const expiresIn of [0, -1, 1.5, 604_801, Number.NaN])
      expect(await backend.presign("/a", { expiresIn })).toMatchObject({
        code: "invalid_argument",
      });
  });

  async function* pieces(count: number, bytes: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield Buffer.alloc(bytes, i);
  }

  test("a stream is stored in parts, or in one piece when it is short", async () => {
    expect(await backend.uploadStream("/big.bin", pieces(12, 1_000_000))).toEqual({
      path: "/big.bin",
    });
    expect((await backend.ls("/")).files).toMatchObject([{ path: "/big.bin", size: 12_000_000 }]);
    expect(sent).toContain("CompleteMultipartUpload");
    sent.length = 0;
    expect(await backend.uploadStream("/small.bin", pieces(2, 10))).toEqual({ path: "/small.bin" });
    expect(sent).toEqual(["PutObject"]);
    expect((await backend.readRaw("/small.bin")).data?.content).toHaveLength(20);
  });

  test("a stream that breaks, is aborted or grows too long leaves neither file nor parts", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(8, 1_000_000);
      throw new Error("the source of 127.0.0.1 is gone");
    }
    const failed = await backend.uploadStream("/a", broken());
    expect(failed.code).toBe("unavailable");
    expect(failed.error).not.toContain("127.0.0.1");
    const bounded = new S3Backend({
      client,
      bucket: gateway.bucket,
      prefix,
      maxFileBytes: 7_000_000,
    });
    expect(await bounded.uploadStream("/a", pieces(8, 1_000_000))).toMatchObject({
      code: "too_large",
    });
    const controller = new AbortController();
    async function* aborting(): AsyncGenerator<Uint8Array> {
      yield* pieces(7, 1_000_000);
      controller.abort();
      yield* pieces(7, 1_000_000);
    }
    const aborted = await backend.uploadStream("/a", aborting(), { signal: controller.signal });
    expect(aborted).toMatchObject({ code: "aborted" });
    expect((await backend.ls("/")).files).toEqual([]);
    const { Uploads } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: gateway.bucket }),
    );
    expect(Uploads ?? []).toEqual([]);
  });

  test("a move keeps content, type and the time of creation", async () => {
    await backend.write("/a.md", "# A\n");
    const before = await backend.readRaw("/a.md");
    expect(await backend.move("/a.md", "/b/c.md")).toEqual({ path: "/b/c.md", files: 1 });
    const after = await backend.readRaw("/b/c.md");
    expect(after.data?.content).toBe("# A\n");
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual(["/b/"]);
    expect(after.data).toMatchObject({ mimeType: "text/markdown" });
    expect(after.data?.created_at).toBe(before.data?.created_at);
  });

  test("of edits that race with a move, none that was acknowledged is lost", async () => {
    const peer = new S3Backend({ client: gateway.client(), bucket: gateway.bucket, prefix });
    for (let round = 0; round < 12; round++) {
      const [from, to] = [`/from-${round}`, `/to-${round}`];
      await backend.write(from, "old");
      const [edited, moved] = await Promise.all([
        peer.edit(from, "old", "new"),
        backend.move(from, to),
      ]);
      const source = await backend.read(from);
      const target = await backend.read(to);
      const content = moved.error === undefined ? target.content : source.content;
      expect(content).toBe(edited.error === undefined ? "new" : "old");
      // Never at both places, never at none.
      expect([source.error, target.error].filter((error) => error === undefined)).toHaveLength(1);
    }
  });

  test("of edits that race with the removal of the version they change, one side is refused", async () => {
    const peer = new S3Backend({ client: gateway.client(), bucket: gateway.bucket, prefix });
    for (let round = 0; round < 12; round++) {
      const path = `/file-${round}`;
      await backend.write(path, "old");
      const { version = "" } = await backend.read(path);
      const [edited, removed] = await Promise.all([
        peer.edit(path, "old", "new"),
        backend.delete(path, { ifVersion: version }),
      ]);
      expect([edited.error, removed.error].filter((error) => error === undefined)).toHaveLength(1);
      const left = await backend.read(path);
      expect(left.content).toBe(edited.error === undefined ? "new" : undefined);
    }
  });

  test("what a client left behind that was stopped while it removed a file is nothing to anybody", async () => {
    const Key = `${prefix}/gone.txt`;
    const tombstone = {
      Bucket: gateway.bucket,
      Key,
      Body: Buffer.from("This object is being removed by @fs/s3.\n"),
    };
    await client.send(new PutObjectCommand({ ...tombstone, Metadata: { "fs-tombstone": "1" } }));
    expect(await backend.read("/gone.txt")).toMatchObject({ code: "not_found" });
    expect(await backend.readRaw("/gone.txt")).toMatchObject({ code: "not_found" });
    expect((await backend.ls("/")).files).toEqual([]);
    expect(await backend.grep("removed")).toEqual({ matches: [] });
    expect(await backend.delete("/gone.txt")).toMatchObject({ error: expect.any(String) });
    // Whoever removes it may still be about to: only much later its place is free.
    expect(await backend.write("/gone.txt", "new")).toMatchObject({ error: expect.any(String) });
    expect((await backend.uploadFiles([["/gone.txt", Buffer.from("new")]]))[0]?.error).toBeNull();
    expect((await backend.read("/gone.txt")).content).toBe("new");
    const head = await client.send(new HeadObjectCommand({ Bucket: gateway.bucket, Key }));
    expect(head.Metadata?.["fs-tombstone"]).toBeUndefined();
  });
});
