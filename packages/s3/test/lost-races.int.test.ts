import type { S3Backend } from "@fs/s3";
import { bytes } from "@fs/test-servers/contents";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Fault, FaultProxy } from "./fault-proxy.js";
import { FaultyGateway } from "./faulty-gateway.js";

/** As Ceph answers a change that lost a race, and any server one that has failed. */
const LOST: Fault = { kind: "refuse", status: 500, code: "UnknownError" };
const FAILED: Fault = { kind: "refuse", status: 500, code: "InternalError" };

describeWithServer("s3", "a change that lost a race, and whose winner is gone again", () => {
  let faulty: FaultyGateway;
  let proxy: FaultProxy;
  let backend: S3Backend;
  /** Past the proxy: the other client. */
  let other: S3Backend;

  beforeAll(async () => {
    faulty = await FaultyGateway.start({ maxAttempts: 2 });
    ({ proxy } = faulty);
  });
  afterAll(() => faulty?.stop());
  beforeEach(() => {
    ({ backend, witness: other } = faulty.next());
  });

  /** Answers the first PUT with a fault, and lets the other client make its change before the next request. */
  async function losing<T>(
    fault: Fault,
    change: () => Promise<T>,
    winner: () => Promise<unknown>,
  ): Promise<T> {
    let puts = 0;
    proxy.plan(({ method }) => (method === "PUT" && ++puts === 1 ? fault : undefined));
    const won = proxy.after(() => puts > 0, winner);
    const answer = await change();
    await won;
    proxy.plan(() => undefined);
    return answer;
  }

  test("is refused for an edit: nothing of it was stored", async () => {
    for (const code of ["not_found", "conflict"]) {
      await other.write("/a", "one");
      const { version } = await backend.read("/a");
      const options = code === "conflict" && version !== undefined ? { ifVersion: version } : {};
      const edit = () => backend.edit("/a", "one", "two", false, options);
      expect((await losing(LOST, edit, () => other.delete("/a"))).code).toBe(code);
      expect((await other.read("/a")).code).toBe("not_found");
    }
  });

  test("is in doubt where the server does not say that it lost", async () => {
    await other.write("/a", "one");
    const edit = () => backend.edit("/a", "one", "two");
    const { code, error } = await losing(FAILED, edit, () => other.delete("/a"));
    expect(code).toBe("unavailable");
    expect(error).toContain("may have been stored");
  });

  test("is made again for an upload and for a creation", async () => {
    await other.write("/a", "one");
    const upload = () => backend.uploadFiles([["/a", bytes("two")]]);
    const [stored] = await losing(LOST, upload, () => other.delete("/a"));
    expect(stored?.error).toBeNull();
    expect((await other.read("/a")).content).toBe("two");

    const created = await losing(
      LOST,
      () => backend.write("/b", "two"),
      async () => {
        await other.write("/b", "theirs");
        await other.delete("/b");
      },
    );
    expect(created.error).toBeUndefined();
    expect((await other.read("/b")).content).toBe("two");
  });

  /** The answer to a batch of removals that has left a file. */
  const left = (path: string, code: string): Fault => ({
    kind: "answer",
    body: `<?xml version="1.0"?><DeleteResult><Error><Key>${faulty.prefix}${path}</Key><Code>${code}</Code></Error></DeleteResult>`,
  });

  test("is made again for an object of a directory that is removed", async () => {
    await other.write("/d/a", "one");
    let batches = 0;
    const lost = left("/d/a", "UnknownError");
    proxy.plan(({ method }) => (method === "POST" && ++batches < 3 ? lost : undefined));
    expect((await backend.delete("/d")).error).toBeUndefined();
    expect(batches).toBe(3);
    expect((await other.glob("**")).files).toEqual([]);
  });

  test.each([
    ["UnknownError", 20],
    ["InternalError", 1],
  ])("is not made for ever: %s", async (code, most) => {
    await other.write("/d/a", "one");
    let batches = 0;
    proxy.plan(({ method }) => {
      if (method !== "POST") return undefined;
      batches++;
      return left("/d/a", code);
    });
    expect((await backend.delete("/d")).code).toBe("unavailable");
    expect(batches).toBe(most);
    proxy.plan(() => undefined);
    expect((await other.read("/d/a")).content).toBe("one");
  });
});
