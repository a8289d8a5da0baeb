import {
  ListMultipartUploadsCommand,
  type S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { S3Backend, type S3BackendOptions } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Fault, FaultProxy } from "./fault-proxy.js";
import { FaultyGateway } from "./faulty-gateway.js";
import type { Gateway } from "./gateway.js";

const SECRETS = ["127.0.0.1", "secret-host", "localhost", "bucket-"];

describeWithServer("s3", "faults between the client and a real gateway", () => {
  let faulty: FaultyGateway;
  let gateway: Gateway;
  let proxy: FaultProxy;
  let client: S3Client;
  /** Through the proxy. */
  let backend: S3Backend;
  /** Past it: what is really stored. */
  let witness: S3Backend;

  const throughProxy = (overrides?: S3ClientConfig): S3Client => faulty.throughProxy(overrides);
  const make = (own: S3Client, options?: Partial<S3BackendOptions>): S3Backend =>
    faulty.make(own, options);
  /** Breaks the first `times` requests of a method. */
  const breakFirst = (method: string, fault: Fault, times = 1): void => {
    let left = times;
    proxy.plan((request) => (request.method === method && left-- > 0 ? fault : undefined));
  };
  const always = (fault: Fault): void => proxy.plan(() => fault);

  beforeAll(async () => {
    const requestHandler = { connectionTimeout: 5000, socketTimeout: 4000 };
    faulty = await FaultyGateway.start({ maxAttempts: 3, requestHandler });
    ({ gateway, proxy, client } = faulty);
  });
  afterAll(() => faulty?.stop());
  beforeEach(() => {
    ({ backend, witness } = faulty.next());
  });

  const expectClean = (result: { error?: string | null }): void => {
    for (const secret of SECRETS) expect(result.error ?? "").not.toContain(secret);
  };

  test("a create whose connection is cut half way is tried again, and stored once and whole", async () => {
    const text = "x".repeat(200_000);
    breakFirst("PUT", { kind: "cut-request", afterBytes: 50_000 });
    expect(await backend.write("/a", text)).toMatchObject({ path: "/a" });
    expect((await witness.read("/a")).content).toBe(text);
  });

  test("a create that is cut every time fails with a code and stores nothing", async () => {
    breakFirst("PUT", { kind: "cut-request", afterBytes: 10_000 }, 99);
    const result = await backend.write("/a", "x".repeat(50_000));
    expect(result.code).toBe("unavailable");
    expectClean(result);
    expect(await witness.read("/a")).toMatchObject({ code: "not_found" });
  });

  test("a create whose answer is lost is acknowledged: its retry recognises its own work", async () => {
    breakFirst("PUT", { kind: "lose-answer" });
    expect(await backend.write("/a", "mine")).toMatchObject({ path: "/a" });
    expect((await witness.read("/a")).content).toBe("mine");
  });

  test("a create whose answers are all lost is acknowledged as soon as it can be looked up", async () => {
    breakFirst("PUT", { kind: "lose-answer" }, 3);
    expect(await backend.write("/a", "mine")).toMatchObject({ path: "/a" });
  });

  test("a lost answer never takes somebody else's file for one's own", async () => {
    await witness.write("/a", "theirs");
    breakFirst("PUT", { kind: "lose-answer" });
    expect(await backend.write("/a", "theirs")).toMatchObject({ code: "already_exists" });
  });

  test("an edit whose answer is lost is applied once", async () => {
    await witness.write("/n", "x");
    breakFirst("PUT", { kind: "lose-answer" });
    expect(await backend.edit("/n", "x", "xx")).toMatchObject({ path: "/n", occurrences: 1 });
    expect((await witness.read("/n")).content).toBe("xx");
  });

  test("edits under a rain of faults: every acknowledged one is there, and no other", async () => {
    const names = Array.from({ length: 24 }, (_, i) => i);
    await witness.write("/n", names.map((i) => `<${i}>\n`).join(""));
    const faults: Fault[] = [
      { kind: "lose-answer" },
      { kind: "cut-request", afterBytes: 10 },
      { kind: "refuse", status: 500, code: "InternalError" },
      { kind: "refuse", status: 503, code: "SlowDown" },
      { kind: "cut-answer", afterBytes: 20 },
    ];
    proxy.plan((_, count) => (count % 4 === 0 ? faults[(count / 4) % faults.length] : undefined));
    const results = await Promise.all(names.map((i) => backend.edit("/n", `<${i}>`, `done ${i}.`)));
    const content = String((await witness.read("/n")).content);
    for (const i of names)
      expect(content.includes(`done ${i}.`)).toBe(results[i]?.error === undefined);
    expect(results.some((result) => result.error === undefined)).toBe(true);
    expect(content.split("\n")).toHaveLength(names.length + 1);
  });

  test("a removal whose answer is lost is acknowledged", async () => {
    await witness.write("/a", "x");
    breakFirst("DELETE", { kind: "lose-answer" });
    expect(await backend.delete("/a")).toMatchObject({ path: "/a" });
    const { version } = await witness.write("/b", "x").then(() => witness.read("/b"));
    breakFirst("DELETE", { kind: "lose-answer" });
    expect(await backend.delete("/b", { ifVersion: version ?? "" })).toMatchObject({ path: "/b" });
    expect((await witness.ls("/")).files).toEqual([]);
  });

  test("a body that breaks off is fetched again, whole or as a page", async () => {
    const text = "line\n".repeat(30_000);
    await witness.write("/a", text);
    breakFirst("GET", { kind: "cut-answer", afterBytes: 70_000 });
    expect((await backend.read("/a", 0, 40_000)).content).toBe(text);
    breakFirst("GET", { kind: "cut-answer", afterBytes: 70_000 });
    expect(Buffer.from((await backend.downloadFiles(["/a"]))[0]?.content ?? []).toString()).toBe(
      text,
    );
    breakFirst("GET", { kind: "cut-answer", afterBytes: 70_000 }, 99);
    const failed = await backend.read("/a");
    expect(failed.code).toBe("unavailable");
    expectClean(failed);
  });

  test("grep and grep over a stream survive a broken body", async () => {
    await backend.uploadFiles([["/big", Buffer.from(`${"no\n".repeat(3_000_000)}needle\n`)]]);
    let broken = false;
    proxy.plan(({ method, url }) => {
      if (method !== "GET" || url.includes("list-type") || broken) return undefined;
      broken = true;
      return { kind: "cut-answer", afterBytes: 5_000_000 };
    });
    expect((await backend.grep("needle")).matches).toEqual([
      { path: "/big", line: 3_000_001, text: "needle" },
    ]);
    expect(broken).toBe(true);
  });

  test("500 and SlowDown are tried again; when they stay, they are 'unavailable'", async () => {
    await witness.write("/a", "x");
    for (const [status, code] of [
      [500, "InternalError"],
      [503, "SlowDown"],
    ] as const) {
      breakFirst("GET", { kind: "refuse", status, code }, 2);
      expect((await backend.read("/a")).content).toBe("x");
      always({ kind: "refuse", status, code });
      for (const result of [
        await backend.read("/a"),
        await backend.write("/new", "x"),
        await backend.ls("/"),
        await backend.delete("/a"),
      ]) {
        expect(result.code).toBe("unavailable");
        expectClean(result);
      }
    }
    expect((await witness.read("/a")).content).toBe("x");
  });

  test("a server that does not answer is a 'timeout', and a write has not happened", async () => {
    always({ kind: "silence" });
    const impatient = make(
      throughProxy({ maxAttempts: 1, requestHandler: { socketTimeout: 150 } }),
    );
    for (const result of [
      await impatient.read("/a"),
      await impatient.ls("/"),
      await impatient.grep("x"),
    ]) {
      expect(result.code).toBe("timeout");
      expectClean(result);
    }
    expect(await impatient.write("/a", "x")).toMatchObject({ code: "timeout" });
    expect(await witness.read("/a")).toMatchObject({ code: "not_found" });
  });

  test("an abort ends a call that waits", async () => {
    always({ kind: "silence" });
    const controller = new AbortController();
    const reading = backend.read("/a", 0, 10, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await reading).toMatchObject({ code: "aborted" });
  });

  test.each([
    ["ExpiredToken", 400, "permission_denied"],
    ["InvalidAccessKeyId", 403, "permission_denied"],
    ["SignatureDoesNotMatch", 403, "permission_denied"],
    ["AccessDenied", 403, "permission_denied"],
    ["RequestTimeTooSkewed", 403, "permission_denied"],
    ["AuthorizationHeaderMalformed", 400, "unavailable"],
    ["PermanentRedirect", 301, "unavailable"],
    ["QuotaExceeded", 403, "quota_exceeded"],
    ["EntityTooLarge", 400, "too_large"],
  ])("%s (%i) is '%s' on every kind of call", async (code, status, expected) => {
    always({ kind: "refuse", status, code });
    const results = [
      await backend.read("/a"),
      await backend.ls("/"),
      await backend.glob("**"),
      await backend.grep("x"),
      await backend.write("/a", "x"),
      await backend.edit("/a", "x", "y"),
    ];
    for (const result of results) {
      expect(result.code).toBe(expected);
      expect(result.error).toContain("'/");
      expectClean(result);
    }
  });

  test("wrong credentials and a missing bucket, as the gateway itself refuses them", async () => {
    const stranger = make(
      gateway.client({ credentials: { accessKeyId: "nobody", secretAccessKey: "hunter2hunter2" } }),
    );
    const nowhere = new S3Backend({ client, bucket: "no-such-bucket-here" });
    for (const refused of [
      await stranger.read("/a"),
      await stranger.write("/a", "x"),
      await stranger.ls("/"),
      await stranger.delete("/a"),
    ]) {
      expect(refused.code).toBe("permission_denied");
      expect(refused.error).not.toMatch(/hunter2|nobody/);
    }
    for (const lost of [
      await nowhere.read("/a"),
      await nowhere.write("/a", "x"),
      await nowhere.ls("/"),
      await nowhere.delete("/a"),
      await nowhere.grep("x"),
    ]) {
      expect(lost).toMatchObject({ code: "unavailable" });
      expect(lost.error).not.toContain("no-such-bucket-here");
    }
  });

  test("a failed upload in parts leaves nothing behind, neither file nor parts", async () => {
    const bytes = Buffer.alloc(17 * 1024 * 1024, 7);
    proxy.plan(({ method, url }) =>
      method === "PUT" && url.includes("partNumber=3")
        ? { kind: "cut-request", afterBytes: 100_000 }
        : undefined,
    );
    const [result] = await backend.uploadFiles([["/big.bin", bytes]]);
    expect(result?.code).toBe("unavailable");
    const raw = gateway.client();
    const { Uploads } = await raw.send(new ListMultipartUploadsCommand({ Bucket: gateway.bucket }));
    expect(Uploads ?? []).toEqual([]);
    expect((await witness.ls("/")).files).toEqual([]);
    proxy.plan(() => undefined);
    expect((await backend.uploadFiles([["/big.bin", bytes]]))[0]?.error).toBeNull();
    expect((await witness.ls("/")).files).toMatchObject([{ path: "/big.bin", size: bytes.length }]);
  });

  test("an aborted upload in parts leaves nothing behind", async () => {
    const controller = new AbortController();
    let parts = 0;
    proxy.plan(({ url }) => {
      if (url.includes("partNumber=") && ++parts === 2) controller.abort();
      return undefined;
    });
    const bytes = Buffer.alloc(64 * 1024 * 1024, 7);
    const [result] = await backend.uploadFiles([["/big.bin", bytes]], {
      signal: controller.signal,
    });
    expect(result?.code).toBe("aborted");
    const raw = gateway.client();
    // The call is answered a second after its signal at the latest; where parts take longer, they are cleared away behind it.
    await expect
      .poll(async () => {
        const list = new ListMultipartUploadsCommand({ Bucket: gateway.bucket });
        return (await raw.send(list)).Uploads ?? [];
      })
      .toEqual([]);
    expect((await witness.ls("/")).files).toEqual([]);
  });

  test("a probe that fails decides nothing: the next write asks again", async () => {
    const fresh = make(throughProxy({ maxAttempts: 1 }));
    always({ kind: "refuse", status: 503, code: "SlowDown" });
    expect(await fresh.write("/a", "x")).toMatchObject({ code: "unavailable" });
    proxy.plan(() => undefined);
    expect(await fresh.write("/a", "x")).toMatchObject({ path: "/a" });
  });

  test("a server that ignores conditions is found out, and nothing is written, unless that is accepted", async () => {
    await witness.write("/a", "x");
    proxy.plan(({ method }) => (method === "PUT" ? { kind: "pretend" } : undefined));
    const strict = make(throughProxy());
    for (const result of [
      await strict.write("/b", "x"),
      await strict.edit("/a", "x", "y"),
      await strict.write("/c", "x"),
    ]) {
      expect(result.code).toBe("unsupported");
      expect(result.error).toContain("last-writer-wins");
      expectClean(result);
    }
    proxy.plan(() => undefined);
    const lenient = make(throughProxy(), { consistency: "last-writer-wins" });
    expect(lenient.consistency).toBe("last-writer-wins");
    expect(await lenient.write("/b", "x")).toMatchObject({ path: "/b" });
    expect(await lenient.write("/b", "x")).toMatchObject({ code: "already_exists" });
    expect(await lenient.edit("/b", "x", "y")).toMatchObject({ occurrences: 1 });
    expect(await lenient.delete("/b", { ifVersion: "0" })).toMatchObject({ code: "conflict" });
    expect(await lenient.copy("/b", "/a")).toMatchObject({ code: "already_exists" });
    expect(await lenient.move("/b", "/c")).toEqual({ path: "/c", files: 1 });
    expect((await witness.glob("**")).files?.map((f) => f.path)).toEqual(["/a", "/c"]);
  });
});
