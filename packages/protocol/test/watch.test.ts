import { getEventListeners, getMaxListeners } from "node:events";
import {
  CompositeBackend,
  type FileChange,
  MemoryBackend,
  readOnly,
  type WatchableBackend,
  withAudit,
  withPermissions,
  withPolicy,
  withQuota,
  withTracing,
} from "@fs/protocol";
import { ChangeQueue, watchPath } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import { MAX_WAITING_CHANGES } from "../src/author/change-queue.js";
import { describe, expect, it } from "vitest";

const never = new AbortController().signal;
const created = (path: string): FileChange => ({ type: "created", path });

async function rest(changes: AsyncIterable<FileChange>): Promise<FileChange[]> {
  const read: FileChange[] = [];
  for await (const change of changes) read.push(change);
  return read;
}

describe("ChangeQueue", () => {
  it("keeps what lies at or below its path, by segment and in order, for a reader who comes late", async () => {
    const queue = new ChangeQueue("/in");
    for (const path of ["/in", "/inside", "/in/b", "/", "/in/a/c"]) queue.add(created(path));
    queue.end();
    queue.add(created("/in/late"));
    expect(await rest(queue)).toEqual(["/in", "/in/b", "/in/a/c"].map(created));
  });

  it("gives each reader a report of its own, also where several queues were given one", async () => {
    const queues = [new ChangeQueue("/"), new ChangeQueue("/")];
    const waiting = queues[0]?.next();
    const report = created("/a");
    for (const queue of queues) queue.add(report);
    const first = (await waiting)?.value;
    Object.assign(first ?? {}, { path: "/spoilt" });
    expect((await queues[1]?.next())?.value).toEqual(created("/a"));
    expect(report).toEqual(created("/a"));
  });

  it("wakes every reader that waits, with a change each or with the end", async () => {
    const queue = new ChangeQueue("/");
    const waiting = [queue.next(), queue.next(), queue.next()];
    queue.add(created("/a"));
    queue.add(created("/b"));
    queue.end();
    const results = await Promise.all(waiting);
    expect(results.map(({ value }) => value?.path)).toEqual(["/a", "/b", undefined]);
  });

  it("says one thing when more waits than it keeps, and goes on from there", async () => {
    const queue = new ChangeQueue("/d");
    for (let n = 0; n <= MAX_WAITING_CHANGES; n++) queue.add(created(`/d/${n}`));
    queue.add(created("/d/after"));
    queue.end();
    expect(await rest(queue)).toEqual([{ type: "changed", path: "/d" }, created("/d/after")]);
  });

  it("stops what feeds it once: by a break, a signal that fires or has fired, or its end", async () => {
    const ways: Array<(queue: ChangeQueue, abort: AbortController) => Promise<void> | void> = [
      async (queue) => {
        queue.add(created("/a"));
        queue.add(created("/b"));
        for await (const change of queue) {
          expect(change.path).toBe("/a");
          break;
        }
      },
      (_, abort) => abort.abort(),
      (queue) => queue.end(),
    ];
    for (const way of ways) {
      const queue = new ChangeQueue("/");
      const abort = new AbortController();
      let stops = 0;
      queue.endWith(abort.signal);
      queue.onEnd(() => expect.unreachable("It was taken back."))();
      queue.onEnd(() => stops++);
      await way(queue, abort);
      queue.end();
      expect([stops, await rest(queue)]).toEqual([1, []]);
      expect(getEventListeners(abort.signal, "abort")).toEqual([]);
      queue.onEnd(() => stops++);
      expect(stops).toBe(2);
    }
    const shared = new AbortController();
    const before = getMaxListeners(shared.signal);
    const many = Array.from({ length: 30 }, () => new ChangeQueue("/"));
    for (const queue of many) queue.endWith(shared.signal);
    expect(getMaxListeners(shared.signal)).toBe(before + 30);
    shared.abort();
    expect([many.every(({ ended }) => ended), getMaxListeners(shared.signal)]).toEqual([
      true,
      before,
    ]);
    const late = new ChangeQueue("/");
    late.endWith(AbortSignal.abort());
    expect(late.ended).toBe(true);
  });
});

describe("watchPath", () => {
  it("refuses what is no path, and begins nothing", async () => {
    const listen = async (): Promise<void> => expect.unreachable();
    for (const path of ["../x", "x", "", undefined, 7, "/\0"])
      expect(await watchPath({ path, closed: never }, listen)).toMatchObject({
        code: "invalid_path",
        error: expect.any(String),
      });
    const signal = AbortSignal.abort();
    const refused = await watchPath({ path: "/", closed: never, signal }, listen);
    expect(refused).toMatchObject({ code: "aborted" });
  });

  it("turns what is thrown into a result, tells the operator, and stops what was begun", async () => {
    const seen: unknown[] = [];
    const cause = new Error("host 10.0.0.1 refused 'secret'");
    const thrown = [new VolumeError("unsupported", "Not here."), cause];
    for (const error of thrown) {
      let stopped = false;
      const onError = (told: unknown): void => void seen.push(told);
      const answer = await watchPath({ path: "/d/", closed: never, onError }, async (changes) => {
        changes.onEnd(() => (stopped = true));
        throw error;
      });
      expect([answer.changes, stopped]).toEqual([undefined, true]);
      expect(answer.error).not.toContain("secret");
      expect(answer.code).toBe(error === cause ? "unavailable" : "unsupported");
    }
    expect(seen).toEqual([cause]);
  });

  it("answers 'aborted' while it still begins, and stops what begins thereafter", async () => {
    const abort = new AbortController();
    let stopped = false;
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const begun: Promise<void>[] = [];
    const listen = (changes: ChangeQueue): Promise<void> => {
      const task = gate.then(() => void changes.onEnd(() => (stopped = true)));
      begun.push(task);
      return task;
    };
    const answer = watchPath({ path: "/", closed: never, signal: abort.signal }, listen);
    abort.abort();
    expect(await answer).toMatchObject({ code: "aborted" });
    go();
    await Promise.all(begun);
    expect(stopped).toBe(true);
  });

  it("ends with the backend", async () => {
    const closing = new AbortController();
    const answer = await watchPath({ path: "/d/", closed: closing.signal }, async (changes) =>
      changes.add(created("/d/a")),
    );
    closing.abort();
    const { changes = new ChangeQueue("/") } = answer;
    expect(await rest(changes)).toEqual([created("/d/a")]);
  });
});

it("no wrapper and no composite lets a watcher past it", () => {
  class Watchable extends MemoryBackend implements WatchableBackend {
    watch(): { changes: ChangeQueue } {
      return { changes: new ChangeQueue("/") };
    }
  }
  const wrapped = {
    withPermissions: withPermissions(new Watchable(), []),
    withPolicy: withPolicy(new Watchable(), {}),
    withQuota: withQuota(new Watchable(), { operations: { max: 9, per: 1000 } }),
    withAudit: withAudit(new Watchable(), () => {}),
    withTracing: withTracing(new Watchable(), {}),
    readOnly: readOnly(new Watchable()),
    composite: new CompositeBackend(new Watchable(), {}),
  };
  const watchable = Object.entries(wrapped).filter(([, backend]) => "watch" in backend);
  expect(watchable).toEqual([]);
});
