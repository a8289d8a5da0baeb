import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { S3Backend } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { TOMBSTONE } from "../src/tombstone.js";
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
    // Another digit than the one that is there: the same one would be the signature itself.
    const forged = url.replace(
      /(X-Amz-Signature=)(.)/,
      (_, name: string, digit: string) => name + (digit === "0" ? "1" : "0"),
    );
    expect(forged).not.toBe(url);
    expect((await fetch(forged)).status).toBe(403);
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
    expect(await backend.uploadStream("/small.bin", pieces(2, 10))).toMatchObject({
      path: "/small.bin",
    });
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

  test("a move keeps content and type", async () => {
    await backend.write("/a.md", "# A\n");
    expect(await backend.move("/a.md", "/b/c.md")).toEqual({ path: "/b/c.md", files: 1 });
    const after = await backend.readRaw("/b/c.md");
    expect(after.data?.content).toBe("# A\n");
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual(["/b/"]);
    expect(after.data).toMatchObject({ mimeType: "text/markdown" });
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

  test("a version is matched whole, though a server compares its beginning alone", async () => {
    const { version = "" } = await backend.write("/a", "old");
    for (const ifVersion of [
      `${version}0`,
      `${version}-x`,
      version.slice(0, -1),
      version.slice(1),
    ]) {
      expect(await backend.delete("/a", { ifVersion })).toMatchObject({ code: "conflict" });
      expect(await backend.edit("/a", "old", "new", false, { ifVersion })).toMatchObject({
        code: "conflict",
      });
      expect((await backend.read("/a")).content).toBe("old");
    }
    expect(await backend.delete("/a", { ifVersion: version })).toMatchObject({ path: "/a" });
  });

  test("what a client left behind that was stopped while it removed a file is nothing to anybody", async () => {
    const Key = `${prefix}/gone.txt`;
    await client.send(
      new PutObjectCommand({
        Bucket: gateway.bucket,
        Key,
        Body: TOMBSTONE,
        Metadata: { "fs-tombstone": "1" },
      }),
    );
    expect(await backend.read("/gone.txt")).toMatchObject({ code: "not_found" });
    expect(await backend.readRaw("/gone.txt")).toMatchObject({ code: "not_found" });
    expect((await backend.ls("/")).files).toEqual([]);
    expect((await backend.glob("**")).files).toEqual([]);
    expect(await backend.grep("removed")).toEqual({ matches: [] });
    expect(await backend.delete("/gone.txt")).toMatchObject({ code: "not_found" });
    expect(await backend.edit("/gone.txt", "This", "That")).toMatchObject({ code: "not_found" });
    expect(await backend.write("/gone.txt", "new")).toMatchObject({ path: "/gone.txt" });
    expect((await backend.read("/gone.txt")).content).toBe("new");
    const head = await client.send(new HeadObjectCommand({ Bucket: gateway.bucket, Key }));
    expect(head.Metadata?.["fs-tombstone"]).toBeUndefined();
  });

  test("a removal leaves nothing where the clock of the answers is a second late", async () => {
    const late = gateway.client();
    const { requestHandler } = late.config;
    const handle = requestHandler.handle.bind(requestHandler);
    requestHandler.handle = async (...args) => {
      const answer = await handle(...args);
      const { headers } = answer.response as { headers: Record<string, string> };
      if (args[0].method === "PUT")
        headers["date"] = new Date(Date.parse(headers["date"] ?? "") - 1000).toUTCString();
      return answer;
    };
    const behind = new S3Backend({ client: late, bucket: gateway.bucket, prefix });
    await behind.write("/d/s/a.txt", "x");
    expect((await behind.delete("/d/s/a.txt")).error).toBeUndefined();
    expect((await behind.ls("/")).files).toEqual([]);
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: gateway.bucket, Prefix: prefix }),
    );
    expect(Contents).toEqual([]);
  });

  test("a file with the very content of what a removal leaves for an instant is a file like any other", async () => {
    await backend.uploadFiles([["/same.txt", TOMBSTONE]]);
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual(["/same.txt"]);
    expect((await backend.grep("removed")).matches).toHaveLength(1);
    expect(await backend.delete("/same.txt")).toMatchObject({ path: "/same.txt" });
  });

  test("names that XML cannot carry are listed, read and removed, one by one and with their directory", async () => {
    const names = ["/d/a\uffffb", "/d/a\ufffeb", "/d/\uffff/deep", "/d/plain", "/d/x+y %41&<"];
    for (const name of names) expect((await backend.write(name, name)).error).toBeUndefined();
    expect((await backend.glob("**")).files?.map((f) => f.path)).toEqual(names.toSorted());
    expect((await backend.ls("/d")).files?.map((f) => f.path)).toContain("/d/\uffff/");
    expect(await backend.delete("/d/a\uffffb")).toMatchObject({ path: "/d/a\uffffb" });
    expect(await backend.delete("/d")).toMatchObject({ path: "/d" });
    expect((await backend.ls("/")).files).toEqual([]);
  });

  test("the names of probes are names like any other", async () => {
    const name = "/.fs-probe-0b7a8d5e-2d6c-4f7e-9a51-3c1f2b4d5e6f";
    expect((await backend.write(name, "mine")).error).toBeUndefined();
    expect((await backend.write(`${name}-dir/.fs-probe-1`, "mine")).error).toBeUndefined();
    expect((await backend.ls("/")).files).toHaveLength(2);
    expect((await backend.grep("mine")).matches).toHaveLength(2);
  });

  test("namespaces share nothing, also where one's name begins another's", async () => {
    const open = (namespace: string | string[]): S3Backend =>
      new S3Backend({ client, bucket: gateway.bucket, prefix, namespace });
    const names = ["org", ["org", "alice"], "org/alice", "org,alice", ["org", "alice", "x"], "or"];
    for (const name of names)
      expect((await open(name).write("/a", JSON.stringify(name))).error).toBeUndefined();
    for (const name of names) {
      expect((await open(name).glob("**")).files?.map((f) => f.path)).toEqual(["/a"]);
      expect((await open(name).read("/a")).content).toBe(JSON.stringify(name));
    }
    expect((await open(["org"]).read("/a")).content).toBe('"org"');
    await open("org").delete("/a");
    expect((await open(["org", "alice"]).read("/a")).error).toBeUndefined();
  });

  test("uploads in parts that a killed process left are found and aborted", async () => {
    const left = { Bucket: gateway.bucket, Key: `${prefix}/half/üñ\uffff.bin` };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(left));
    const part = { ...left, UploadId, PartNumber: 1, Body: Buffer.alloc(5 << 20) };
    await client.send(new UploadPartCommand(part));
    const other = { Bucket: gateway.bucket, Key: `${prefix}2/half.bin` };
    const { UploadId: foreign } = await client.send(new CreateMultipartUploadCommand(other));
    expect(await backend.removeUnfinishedUploads()).toEqual({ aborted: 0 });
    expect(await backend.removeUnfinishedUploads({ olderThanMs: 0 })).toEqual({ aborted: 1 });
    const { Uploads } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: gateway.bucket }),
    );
    expect(Uploads?.map(({ UploadId: id }) => id)).toEqual([foreign]);
    await client.send(new AbortMultipartUploadCommand({ ...other, UploadId: foreign }));
  });
});
