import { StoreBackend } from "@fs/store";
import { BaseStore, InMemoryStore } from "@langchain/langgraph";
import type { Operation, OperationResults } from "@langchain/langgraph-checkpoint";
import { expect, test, vi } from "vitest";

/** Counts the calls on a store. */
class CountingStore extends InMemoryStore {
  calls: string[] = [];

  override async batch<Op extends readonly Operation[]>(operations: Op) {
    this.calls.push(`batch of ${operations.length}`);
    return super.batch(operations);
  }

  override async search(...parameters: Parameters<InMemoryStore["search"]>) {
    this.calls.push("search");
    return super.search(...parameters);
  }
}

test("searching takes one call, a batch of reads too, and a batch of files one to look and one to store", async () => {
  const store = new CountingStore();
  const backend = new StoreBackend({ store, namespace: ["many"] });
  const bytes = new TextEncoder().encode("needle");
  const count = 1234;
  await backend.uploadFiles(
    Array.from({ length: count }, (_, n) => [`/d${n % 10}/f${n}.txt`, bytes]),
  );
  expect(store.calls).toEqual([`batch of ${count}`, `batch of ${count}`]);
  store.calls = [];
  expect((await backend.grep("needle", "/", null, 5)).matches).toHaveLength(5);
  expect((await backend.glob("**/*1.txt")).files).toHaveLength(124);
  expect((await backend.ls("/")).files).toHaveLength(10);
  // The fourth found out whether the store had given all.
  expect(store.calls.filter((call) => call === "search")).toHaveLength(4);
  store.calls = [];
  await backend.downloadFiles(["/d0/f0.txt", "/d1/f1.txt", "/d2/f2.txt"]);
  expect(store.calls).toEqual(["batch of 3"]);
});

test.each([100, 64, 25, 7, 1])(
  "of a store that caps its answers at %i all files are listed and removed",
  async (cap) => {
    const inner = new InMemoryStore();
    class CappedStore extends BaseStore {
      async batch<Op extends readonly Operation[]>(operations: Op) {
        const capped = operations.map((operation) =>
          "namespacePrefix" in operation
            ? { ...operation, limit: Math.min(operation.limit ?? 10, cap) }
            : operation,
        );
        return (await inner.batch(capped)) as OperationResults<Op>;
      }
    }
    const backend = new StoreBackend({ store: new CappedStore(), namespace: ["capped"] });
    const bytes = new TextEncoder().encode("x");
    await backend.uploadFiles(Array.from({ length: 200 }, (_, n) => [`/d/f${n}.txt`, bytes]));
    expect((await backend.ls("/d")).files).toHaveLength(200);
    expect(await backend.delete("/d")).toEqual({ path: "/d" });
    expect((await backend.ls("/")).files).toEqual([]);
  },
);

test("a store that knows neither limit nor offset is read once, and ends", async () => {
  const inner = new InMemoryStore();
  class PlainStore extends BaseStore {
    async batch<Op extends readonly Operation[]>(operations: Op) {
      const plain = operations.map((operation) =>
        "namespacePrefix" in operation ? { ...operation, limit: 1000, offset: 0 } : operation,
      );
      return (await inner.batch(plain)) as OperationResults<Op>;
    }
  }
  const backend = new StoreBackend({ store: new PlainStore(), namespace: ["plain"] });
  await backend.uploadFiles(Array.from({ length: 20 }, (_, n) => [`/f${n}.txt`, Uint8Array.of(n)]));
  expect((await backend.ls("/")).files).toHaveLength(20);
});

test("whether a store caps its answers is asked once for as many files, and never of those that do not", async () => {
  const bytes = new TextEncoder().encode("x");
  const files = Array.from({ length: 30 }, (_, n) => [`/f${n}.txt`, bytes] as [string, Uint8Array]);
  const store = new CountingStore();
  const backend = new StoreBackend({ store, namespace: ["counted"] });
  await backend.uploadFiles(files);
  store.calls = [];
  for (let round = 0; round < 3; round++) expect((await backend.ls("/")).files).toHaveLength(30);
  await backend.delete("/f0.txt");
  expect((await backend.ls("/")).files).toHaveLength(29);
  expect(store.calls.filter((call) => call === "search")).toHaveLength(5);

  const known = new InMemoryStore();
  const searches = vi.spyOn(known, "search");
  const other = new StoreBackend({ store: known, namespace: ["known"] });
  await other.uploadFiles(files);
  expect((await other.ls("/")).files).toHaveLength(30);
  expect(searches).toHaveBeenCalledTimes(1);
});

test("what is stored beside a file is bounded, however deep it lies, and the file is found all the same", async () => {
  const store = new InMemoryStore();
  const backend = new StoreBackend({ store, namespace: "deep" });
  const directory = "/d".repeat(2000);
  await backend.write(`${directory}/f`, "x");
  await backend.write("/d/d/near", "x");
  const item = await store.get(["deep"], `${directory}/f`);
  expect(JSON.stringify(item?.value).length).toBeLessThan(12_000);
  for (const below of ["/d/d", directory, directory.slice(0, 2000)])
    expect((await backend.glob("**/f", below)).files).toHaveLength(1);
  expect((await backend.ls(directory)).files?.map(({ path }) => path)).toEqual([`${directory}/f`]);
});
