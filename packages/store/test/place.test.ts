import { StoreBackend } from "@fs/store";
import { BaseStore, InMemoryStore, type Item } from "@langchain/langgraph";
import type { Operation, OperationResults } from "@langchain/langgraph-checkpoint";
import { StoreBackend as PeerBackend } from "deepagents";
import { expect, test, vi } from "vitest";

/** Counts the calls on a store, and the items that it gives. */
class CountingStore extends InMemoryStore {
  calls = 0;
  items = 0;

  override async batch<Op extends readonly Operation[]>(operations: Op) {
    this.calls++;
    const results = await super.batch(operations);
    for (const result of results as unknown[])
      if (Array.isArray(result)) this.items += result.length;
    return results;
  }
}

/** A store of somebody's own, where an item without a field passes no filter on it, as null does in SQL. */
class OtherStore extends BaseStore {
  readonly inner = new InMemoryStore();

  async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = (await this.inner.batch(operations)) as unknown[];
    const kept = results.map((result, index) => {
      const operation = operations[index];
      if (operation === undefined || !("filter" in operation) || !Array.isArray(result))
        return result;
      const fields = Object.keys(operation.filter ?? {});
      return result.filter(({ value }: Item) => fields.every((field) => field in value));
    });
    return kept as OperationResults<Op>;
  }
}

const bytes = new TextEncoder().encode("needle");

test("what lies below a directory is one call, and no more items than that", async () => {
  const store = new CountingStore();
  const backend = new StoreBackend({ store, namespace: ["many"] });
  await backend.uploadFiles(
    Array.from({ length: 1000 }, (_, n) => [`/d${n % 10}/sub${n % 2}/f${n}.txt`, bytes]),
  );
  await backend.write("/d1/own.md", "needle");
  const questions = [
    async () => (await backend.ls("/d1")).files,
    async () => (await backend.glob("**/*.txt", "/d1")).files,
    async () => (await backend.grep("needle", "/d1")).matches,
  ];
  const found: Array<number | undefined> = [];
  for (const question of questions) {
    store.calls = 0;
    store.items = 0;
    found.push((await question())?.length);
    expect([store.calls, store.items]).toEqual([1, 101]);
  }
  expect(found).toEqual([2, 100, 101]);
});

test("files that others write or change there are found all the same", async () => {
  const store = new CountingStore();
  const ours = new StoreBackend({ store, namespace: ["shared"] });
  const theirs = new PeerBackend({ store, namespace: ["shared"] });
  await ours.write("/docs/ours.md", "from here");
  await ours.write("/docs/changed.md", "from here");
  await ours.write("/elsewhere/ours.md", "from here");
  await theirs.write("/docs/theirs.md", "from deepagents");
  await theirs.write("/docs/deep/theirs.md", "from deepagents");
  await theirs.edit("/docs/changed.md", "here", "deepagents");
  const listed = async () => (await ours.ls("/docs")).files?.map(({ path }) => path);
  const all = ["/docs/changed.md", "/docs/deep/", "/docs/ours.md", "/docs/theirs.md"];
  expect(await listed()).toEqual(all);
  expect((await ours.grep("deepagents", "/docs")).matches).toHaveLength(3);
  store.items = 0;
  await ours.ls("/elsewhere");
  expect(store.items).toBe(4);
  // Each change of ours gives a file its place.
  await ours.edit("/docs/theirs.md", "from", "of");
  await ours.edit("/docs/deep/theirs.md", "from", "of");
  await ours.edit("/docs/changed.md", "from", "of");
  store.items = 0;
  await ours.ls("/elsewhere");
  expect(store.items).toBe(1);
  expect(await listed()).toEqual(all);
  await ours.delete("/docs");
  expect((await ours.ls("/")).files?.map(({ path }) => path)).toEqual(["/elsewhere/"]);
});

test("where nothing else writes, files without a place are looked for until there are none", async () => {
  const store = new CountingStore();
  const namespace = ["alone"];
  await new PeerBackend({ store, namespace }).write("/docs/earlier.md", "needle");
  const ours = new StoreBackend({ store, namespace, onlyWriter: true });
  await ours.write("/docs/ours.md", "needle");
  const searches = vi.spyOn(store, "batch");
  /** Paths in the directory, and the operations of the call. */
  const listed = async (): Promise<[string[], number]> => {
    searches.mockClear();
    const { files = [] } = await ours.ls("/docs");
    expect(searches).toHaveBeenCalledTimes(1);
    return [files.map(({ path }) => path), searches.mock.calls[0]?.[0].length ?? 0];
  };
  const both = ["/docs/earlier.md", "/docs/ours.md"];
  expect([await listed(), await listed()]).toEqual([
    [both, 3],
    [both, 3],
  ]);
  await ours.edit("/docs/earlier.md", "needle", "needles");
  expect([await listed(), await listed()]).toEqual([
    [both, 3],
    [both, 2],
  ]);
  // Another tenant's files are not of this namespace, although stores find them by its text.
  await new PeerBackend({ store, namespace: ["alone-too"] }).write("/docs/theirs.md", "needle");
  expect(await listed()).toEqual([both, 2]);
  // Without the promise they are looked for in every call.
  const shared = new StoreBackend({ store, namespace });
  searches.mockClear();
  await shared.ls("/docs");
  expect(searches.mock.calls[0]?.[0]).toHaveLength(3);
});

test("a store of another kind is read whole rather than trusted with filters", async () => {
  const store = new OtherStore();
  const ours = new StoreBackend({ store, namespace: ["shared"] });
  await new PeerBackend({ store, namespace: ["shared"] }).write("/docs/theirs.md", "theirs");
  await ours.write("/docs/ours.md", "ours");
  expect((await ours.ls("/docs")).files).toHaveLength(2);
});

test("more than ten thousand files in one directory all come", async () => {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ["many"] });
  const count = 10_500;
  await backend.uploadFiles(Array.from({ length: count }, (_, n) => [`/d/f${n}.txt`, bytes]));
  expect((await backend.ls("/d")).files).toHaveLength(count);
});

test("names that look alike are not taken for each other", async () => {
  const backend = new StoreBackend({ store: new InMemoryStore(), namespace: ["alike"] });
  for (const path of ["/a/b.txt", "/ab/c.txt", "/a b/c.txt", "/x/a/d.txt"])
    await backend.write(path, "needle");
  expect((await backend.ls("/a")).files?.map(({ path }) => path)).toEqual(["/a/b.txt"]);
  expect((await backend.grep("needle", "/a/b.txt")).matches).toHaveLength(1);
});
