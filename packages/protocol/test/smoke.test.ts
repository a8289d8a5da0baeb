import { expect, test } from "vitest";
import { MemoryBackend } from "@fs/protocol";
test("smoke", async () => {
  const b = new MemoryBackend();
  console.log(await b.write("/a/b.txt", "one\r\ntwo\r\nthree"));
  console.log(
    await b.write("/a/b.txt", "x"),
    await b.write("/a", "x"),
    await b.write("/a/b.txt/c", "x"),
  );
  console.log(
    await b.read("/a/b.txt", 1, 1),
    await b.read("/a/b.txt", 9),
    await b.read("a/b"),
    await b.read("/a"),
    await b.read("/zz"),
  );
  console.log(
    await b.edit("/a/b.txt", "one\ntwo", "1\n2"),
    await b.read("/a/b.txt"),
    await b.edit("/a/b.txt", "thre3", "1\n2"),
    await b.edit("/a/b.txt", "e", "1"),
  );
  console.log(await b.ls("/"), await b.ls("/a/"), await b.ls("/x"), await b.ls("/a/b.txt"));
  console.log(
    await b.glob("**/*.txt"),
    await b.glob("*.txt"),
    await b.glob("/a/*.txt"),
    await b.glob("{a"),
    await b.glob("*.txt", "/a/b.txt"),
  );
  console.log(
    JSON.stringify(await b.grep("2", "/", "*.txt", 1, { before: 1, after: 1 })),
    await b.grep("t(h|x)r", null, null, null, { regex: true }),
  );
  console.log(
    await b.copy("/a", "/c"),
    await b.move("/c/b.txt", "/d.txt"),
    await b.delete("/a"),
    await b.ls("/"),
  );
  const r = await Promise.all(Array.from({ length: 20 }, (_, i) => b.write("/n", String(i))));
  expect(r.filter((x) => !x.error).length).toBe(1);
  console.log(
    await b.uploadFiles([
      ["/u.png", new Uint8Array([1, 2])],
      ["bad", new Uint8Array()],
    ]),
    await b.downloadFiles(["/u.png", "/no"]),
    await b.edit("/u.png", "a", "b"),
  );
});
