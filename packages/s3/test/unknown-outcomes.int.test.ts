import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import type { S3Backend, S3BackendOptions } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fault, FaultPlan, FaultProxy } from "./fault-proxy.js";
import { FaultyGateway } from "./faulty-gateway.js";
import type { Deletes, Gateway } from "./gateway.js";

const BUSY = { status: 503, code: "SlowDown" };
/** What can happen to a request and its answer, every time it is tried. */
const FAULTS: Record<string, Fault> = {
  "is answered 503": { kind: "refuse", ...BUSY },
  "is done and answered 503": { kind: "deny-answer", ...BUSY },
  "is done and not answered": { kind: "lose-answer" },
  "is cut before the effect": { kind: "cut-request", afterBytes: -1 },
  "meets a stalled server": { kind: "silence" },
};

describeWithServer("s3", "changes whose outcome is unknown", outcomesOf("as-it-does"));
describeWithServer("s3", "they, with the conditions of AWS on DELETE", outcomesOf("as-aws"));

function outcomesOf(deletes: Deletes): () => void {
  return () => {
    let faulty: FaultyGateway;
    let gateway: Gateway;
    let proxy: FaultProxy;
    let backend: S3Backend;
    /** Past the proxy: what is really stored. */
    let witness: S3Backend;

    const throughProxy = (overrides: S3ClientConfig): S3Client => faulty.throughProxy(overrides);
    const make = (own: S3Client, options?: Partial<S3BackendOptions>): S3Backend =>
      faulty.make(own, options);
    /** Breaks every request of a method, and if asked every look at what became of it. */
    const breakAll = (method: string, fault: Fault, blind = false): FaultPlan => {
      const plan: FaultPlan = (request) => {
        if (request.method === method) return fault;
        return blind && request.method === "HEAD" ? { kind: "refuse", ...BUSY } : undefined;
      };
      proxy.plan(plan);
      return plan;
    };
    const paths = async (of: S3Backend): Promise<string[] | undefined> =>
      (await of.glob("**")).files?.map((file) => file.path);

    beforeAll(async () => {
      const requestHandler = { connectionTimeout: 5000, socketTimeout: 2500 };
      faulty = await FaultyGateway.start({ maxAttempts: 2, requestHandler }, deletes);
      ({ gateway, proxy } = faulty);
    });
    afterAll(() => faulty?.stop());
    beforeEach(() => {
      ({ backend, witness } = faulty.next());
    });

    describe.each(Object.entries(FAULTS))("a request that %s", (_, fault) => {
      test("as the DELETE of a removal: the answer is true, and the path takes a new file", async () => {
        await witness.write("/a", "old");
        breakAll("DELETE", fault);
        const removed = await backend.delete("/a");
        proxy.plan(() => undefined);
        const left = await witness.read("/a");
        if (removed.error === undefined) expect(left.code).toBe("not_found");
        else {
          expect(removed.code).toBe("unavailable");
          expect(removed.error).toContain("may have been removed");
        }
        for (const one of [backend, witness]) {
          expect((await one.ls("/")).files?.map((f) => f.path)).toEqual(
            left.error === undefined ? ["/a"] : [],
          );
        }
        if (left.error !== undefined)
          expect(await backend.write("/a", "new")).toMatchObject({ path: "/a" });
        expect((await witness.read("/a")).content).toBe(left.error === undefined ? "old" : "new");
      });

      test("as the PUT of a removal: nothing is lost, and nothing is said that is not so", async () => {
        await witness.write("/a", "old");
        breakAll("PUT", fault);
        const removed = await backend.delete("/a");
        proxy.plan(() => undefined);
        const left = await witness.read("/a");
        if (removed.error === undefined) expect(left.code).toBe("not_found");
        else expect(removed).toMatchObject({ code: "unavailable" });
        if (left.error === undefined) expect(left.content).toBe("old");
        else expect(await witness.write("/a", "new")).toMatchObject({ path: "/a" });
      });

      test("as the source's removal of a move: the content is at one path at least", async () => {
        await witness.write("/from", "content");
        breakAll("DELETE", fault);
        const moved = await backend.move("/from", "/to");
        proxy.plan(() => undefined);
        const [from, to] = [await witness.read("/from"), await witness.read("/to")];
        expect([from.content, to.content]).toContain("content");
        if (moved.error === undefined) {
          expect(to.content).toBe("content");
          expect(from.code).toBe("not_found");
        } else if (from.error !== undefined) expect(to.content).toBe("content");
        // Both paths take what comes next.
        for (const path of ["/from", "/to"]) {
          const there = (await witness.read(path)).error === undefined;
          const next = there
            ? await witness.edit(path, "content", "next")
            : await witness.write(path, "next");
          expect(next.error).toBeUndefined();
        }
      });

      test("as the PUT of a create, with and without a look at what became of it", async () => {
        for (const blind of [false, true]) {
          const path = `/new-${blind}`;
          breakAll("PUT", fault, blind);
          const created = await backend.write(path, "text");
          proxy.plan(() => undefined);
          const left = await witness.read(path);
          if (created.error === undefined) expect(left.content).toBe("text");
          else {
            expect(created.code).toBe("unavailable");
            if (left.error === undefined) expect(created.error).toContain("may have been stored");
          }
        }
      });

      test("as the PUT of an edit: applied once or not at all, and never refused when it is there", async () => {
        await witness.write("/n", "x");
        for (const blind of [false, true]) {
          const before = (await witness.read("/n")).content;
          breakAll("PUT", fault, blind);
          const edited = await backend.edit("/n", "x", "xx", true);
          proxy.plan(() => undefined);
          const after = (await witness.read("/n")).content;
          const once = String(before).replaceAll("x", "xx");
          expect([before, once]).toContain(after);
          if (edited.error === undefined) expect(after).toBe(once);
          else {
            expect(edited.code).toBe("unavailable");
            if (after === once) expect(edited.error).toContain("may have been stored");
          }
        }
      });

      test("as the removal of a directory: what is left is readable, and a second try removes it", async () => {
        const names = Array.from({ length: 5 }, (_each, i) => `/d/${i}`);
        for (const name of names) await witness.write(name, name);
        proxy.plan(({ url }) => (url.includes("delete") ? fault : undefined));
        const removed = await backend.delete("/d");
        proxy.plan(() => undefined);
        const left = (await paths(witness)) ?? [];
        if (removed.error === undefined) expect(left).toEqual([]);
        else expect(removed.code).toBe("unavailable");
        for (const path of left) expect((await witness.read(path)).content).toBe(path);
        if (left.length > 0) expect((await witness.delete("/d")).error).toBeUndefined();
      });
    });

    test("an edit is recognised after others have changed the file again, and is not applied twice", async () => {
      await witness.write("/n", "a b");
      let lost = 0;
      proxy.plan(({ method }) =>
        method === "PUT" && lost++ === 0 ? { kind: "lose-answer" } : undefined,
      );
      // Between the lost answer and the next attempt, another client changes the file: its PUT goes past the proxy.
      const meddling = proxy.after(
        () => lost === 1,
        () => witness.edit("/n", "b", "B"),
      );
      expect(await backend.edit("/n", "a", "aa")).toMatchObject({ occurrences: 1 });
      await meddling;
      expect((await witness.read("/n")).content).toBe("aa B");
    });

    test("a server that does not listen has done nothing, and the answer does not say that it may have", async () => {
      const nowhere = make(gateway.client({ endpoint: "http://127.0.0.1:1", maxAttempts: 2 }), {
        consistency: "last-writer-wins",
      });
      const [uploaded] = await nowhere.uploadFiles([["/a", Buffer.from("x")]]);
      expect(uploaded?.code).toBe("unavailable");
    });

    describe("a stalled server", () => {
      const patient = (options: Partial<S3BackendOptions> = {}): S3Backend =>
        make(throughProxy({ requestHandler: { socketTimeout: 0 } }), options);

      test("holds no call longer than its time, with a client without time limits", async () => {
        await witness.write("/a", "x");
        const bounded = patient({ callTimeoutMs: 300 });
        await bounded.write("/b", "x");
        proxy.plan(() => ({ kind: "silence" }));
        for (const read of [
          bounded.read("/a"),
          bounded.ls("/"),
          bounded.grep("x"),
          bounded.glob("**"),
        ])
          expect((await read).code).toBe("timeout");
        for (const change of [
          bounded.edit("/a", "x", "y"),
          bounded.write("/c", "x"),
          bounded.delete("/a"),
          bounded.move("/a", "/d"),
        ])
          expect(["timeout", "unavailable"]).toContain((await change).code);
      });

      test("holds no call whose caller gives up, whatever it is", async () => {
        await witness.write("/a", "x");
        const bounded = patient();
        await bounded.write("/b", "x");
        for (const silent of ["GET", "PUT", "HEAD", "DELETE", "POST"]) {
          proxy.plan(({ method }) => (method === silent ? { kind: "silence" } : undefined));
          const controller = new AbortController();
          const { signal } = controller;
          const calls = [
            bounded.read("/a", 0, 10, { signal }),
            bounded.readRaw("/a", { signal }),
            bounded.ls("/", { signal }),
            bounded.grep("x", "/", null, null, { signal }),
            bounded.write(`/new-${silent}`, "x", { signal }),
            bounded.edit("/a", "x", "x", false, { signal }),
            bounded.delete(`/b-${silent}`, { signal }),
            bounded.uploadStream(`/s-${silent}`, pieces(), { signal }),
          ];
          setTimeout(() => controller.abort(), 50);
          const codes = (await Promise.all(calls)).map(({ code }) => code);
          for (const code of codes) expect([undefined, "aborted", "not_found"]).toContain(code);
        }
        async function* pieces(): AsyncGenerator<Uint8Array> {
          yield Buffer.alloc(10);
        }
      });

      test("does not keep one caller waiting for the probe that another asked for", async () => {
        proxy.plan(() => ({ kind: "silence" }));
        const fresh = make(throughProxy({ requestHandler: { socketTimeout: 0 } }), {
          callTimeoutMs: 3000,
        });
        const controller = new AbortController();
        const first = fresh.write("/a", "x");
        const second = fresh.write("/b", "x", { signal: controller.signal });
        controller.abort();
        expect(await second).toMatchObject({ code: "aborted" });
        expect((await first).error).toBeDefined();
        proxy.plan(() => undefined);
        expect(await fresh.write("/a", "x")).toMatchObject({ path: "/a" });
      });
    });

    test("a body that stops half way does not hold a read", async () => {
      await witness.uploadFiles([["/big", Buffer.alloc(200_000, 0x61)]]);
      const bounded = make(throughProxy({ requestHandler: { socketTimeout: 0 } }), {
        callTimeoutMs: 200,
      });
      proxy.plan(({ method }) =>
        method === "GET" ? { kind: "stall-answer", afterBytes: 1000 } : undefined,
      );
      expect((await bounded.readRaw("/big")).code).toBe("timeout");
    });
  };
}
