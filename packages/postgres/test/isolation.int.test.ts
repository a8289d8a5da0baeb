import { randomBytes, randomUUID } from "node:crypto";
import { MemoryBackend } from "@fs/protocol";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PostgresBackend } from "@fs/postgres";
import { Fixture } from "./test-backends.js";

const HOSTILE = [
  "'; drop table fs_files; --",
  "%",
  "_",
  "\\",
  "%_\\",
  "a%b",
  "$1",
  "$body$",
  "{a,b}",
  "[a-z]*",
  "(.*)+$",
  "E'\\x41'",
  "\u202egnp.exe",
  "שלום",
  "👩‍👩‍👧",
  "e\u0301",
  "é",
  "__proto__",
  " ",
  '"',
  "-",
  "0",
  "~x",
];

describeWithServer("postgres", "isolation", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test("hostile names, contents and patterns are only text", async () => {
    const backend = fixture.backend();
    const memory = new MemoryBackend();
    for (const files of [backend, memory]) {
      for (const name of HOSTILE) {
        await files.write(`/${name}/${name}`, `${name}\n`);
        await files.edit(`/${name}/${name}`, name, `<${name}>`);
      }
    }
    const withoutTimes = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, item: unknown) =>
          /_at$|^version$/.test(key) ? undefined : item,
        ),
      );
    const same = async (
      ask: (files: PostgresBackend | MemoryBackend) => Promise<unknown>,
    ): Promise<void> => {
      expect(withoutTimes(await ask(backend))).toEqual(withoutTimes(await ask(memory)));
    };
    await same((files) => files.ls("/"));
    for (const name of HOSTILE) {
      await same((files) => files.ls(`/${name}`));
      await same((files) => files.read(`/${name}/${name}`));
      await same((files) => files.grep(name));
      await same((files) => files.grep(name, "/", null, 1, { ignoreCase: true }));
      await same((files) => files.grep("<", "/", `*${name.replaceAll(/[\\[{]/g, "?")}*`));
      await same((files) => files.glob(name));
      await same((files) => files.glob(`**/${name}`));
    }
  });

  test("paths of 4,096 bytes that no compression shortens behave as short ones", async () => {
    const backend = fixture.backend();
    const memory = new MemoryBackend();
    const segment = (bytes: number): string => randomBytes(bytes).toString("hex").slice(0, bytes);
    const deep = Array.from({ length: 15 }, () => segment(255)).join("/");
    const shared = `/${deep.slice(0, 255 * 9 + 9)}`;
    const paths = [
      `/${deep}/${segment(254)}`,
      `${shared}x`,
      `${shared}x2/b`,
      `${shared}x3/${"😀".repeat(60)}`,
      "/short",
    ];
    expect(Buffer.byteLength(paths[0] ?? "")).toBe(4095);
    for (const files of [backend, memory])
      for (const path of paths)
        expect(await files.write(path, `in ${path}`)).toMatchObject({ path });
    const directories = paths.flatMap((path) =>
      path.split("/").map((_, n, all) => all.slice(0, n).join("/") || "/"),
    );
    for (const directory of new Set(directories)) {
      const names = async (files: PostgresBackend | MemoryBackend): Promise<unknown> => [
        (await files.ls(directory)).files?.map(({ path }) => path),
        (await files.glob("**", directory)).files?.map(({ path }) => path),
        (await files.grep("in", directory)).matches,
        (await files.grep("in", directory, null, 2)).matches,
      ];
      expect(await names(backend)).toEqual(await names(memory));
    }
    const [longest = ""] = paths;
    expect((await backend.write(longest, "again")).code).toBe("already_exists");
    expect((await backend.write(`/${deep}`, "x")).code).toBe("is_directory");
    expect((await backend.write(`${shared}x/y`, "x")).code).toBe("not_directory");
    expect((await backend.edit(longest, "in ", "")).occurrences).toBe(1);
    expect((await backend.move(longest, "/came")).error).toBeUndefined();
    expect((await backend.read("/came")).content).toBe(longest);
    expect((await backend.move("/came", longest)).error).toBeUndefined();
    expect(await backend.copy(`/${deep.slice(0, 255)}`, "/copy")).toMatchObject({ files: 4 });
    expect(
      (
        await backend.uploadFiles([
          [longest, Buffer.from("up")],
          ["/b", Buffer.from("b")],
        ])
      )[0]?.error,
    ).toBeNull();
    expect((await backend.downloadFiles([longest]))[0]?.content).toEqual(
      new Uint8Array(Buffer.from("up")),
    );
    expect((await backend.delete(`/${deep.slice(0, 255)}`)).error).toBeUndefined();
    expect(
      (await backend.glob("**")).files?.filter(({ path }) =>
        path.startsWith(`/${deep.slice(0, 255)}`),
      ),
    ).toEqual([]);
  });

  describe("namespaces", () => {
    const pairs = [
      ["acme", "acme-corp"],
      ["a", "A"],
      ["default", " "],
      [["a", "b"], "a/b"],
      [["a", "b"], ["a/b"]],
      ["a%", "ab"],
      ["a_", "ab"],
      ["a/b", "a"],
      ["a\nb", "a"],
      ["'; select 1", "'"],
      ["é", "e\u0301"],
      ["x".repeat(4096), `${"x".repeat(4095)}y`],
      ["x".repeat(512), "x".repeat(513)],
    ] as const;

    test.each(pairs)("%j sees nothing of %j", async (one, other) => {
      const [mine, theirs] = [
        fixture.backend({ namespace: one }),
        fixture.backend({ namespace: other }),
      ];
      await mine.write("/secret/file.txt", "secret");
      try {
        expect((await theirs.ls("/")).files).toEqual([]);
        expect((await theirs.read("/secret/file.txt")).code).toBe("not_found");
        expect((await theirs.grep("secret")).matches).toEqual([]);
        expect((await theirs.glob("**")).files).toEqual([]);
        expect((await theirs.edit("/secret/file.txt", "secret", "x")).code).toBe("not_found");
        expect((await theirs.delete("/secret")).code).toBe("not_found");
        expect((await theirs.downloadFiles(["/secret/file.txt"]))[0]?.code).toBe("not_found");
        expect((await theirs.copy("/secret", "/x")).code).toBe("not_found");
        expect(await theirs.write("/secret", "as a file")).toMatchObject({ path: "/secret" });
        expect((await mine.read("/secret/file.txt")).content).toBe("secret");
      } finally {
        await mine.delete("/secret");
        await theirs.delete("/secret");
      }
    });

    test("a namespace that no text column can keep is refused at once", () => {
      for (const namespace of ["a\0b", "\ud800", "", [], ["a", ""]])
        expect(() => new PostgresBackend({ client: fixture.pool, namespace })).toThrow(TypeError);
    });
  });

  test("the documented policy keeps a role within its namespace, whatever SQL is sent", async () => {
    await fixture.pool.query(`
      alter table fs_files enable row level security;
      create policy one_namespace on fs_files using (namespace = current_setting('fs.namespace', true));
      create role agent login;
      grant select, insert, update, delete on fs_files to agent;
    `);
    const poolOf = (namespace: string): pg.Pool =>
      new pg.Pool({
        connectionString: fixture.server.info.url.replace("postgres@", "agent@"),
        options: `-c fs.namespace=${namespace}`,
      });
    const [acme, globex] = [poolOf("acme"), poolOf("globex")];
    try {
      const mine = new PostgresBackend({ client: acme, namespace: "acme" });
      const file = Buffer.from("one\n");
      expect(await mine.write("/a/b.txt", "one\n")).toMatchObject({ path: "/a/b.txt" });
      expect((await mine.edit("/a/b.txt", "one", "two")).occurrences).toBe(1);
      expect(
        (
          await mine.uploadFiles([
            ["/u/1", file],
            ["/u/2", file],
          ])
        ).every(({ error }) => error === null),
      ).toBe(true);
      expect((await mine.grep("two")).matches).toHaveLength(1);
      expect((await mine.move("/u", "/v")).files).toBe(2);
      expect((await globex.query("select * from fs_files")).rows).toEqual([]);
      const thief = new PostgresBackend({ client: globex, namespace: "acme" });
      expect((await thief.read("/a/b.txt")).code).toBe("not_found");
      expect((await thief.ls("/")).files).toEqual([]);
      expect((await thief.write("/a/c.txt", "x")).code).toBe("permission_denied");
      expect((await thief.delete("/a/b.txt")).code).toBe("not_found");
      expect((await mine.read("/a/b.txt")).content).toBe("two\n");
    } finally {
      await Promise.all([acme.end(), globex.end()]);
      await fixture.pool.query("alter table fs_files disable row level security");
    }
  });

  test("two tables of one schema, with names that need quotes, share nothing", async () => {
    const schema = `s "${randomUUID()}`;
    const [one, other] = ["t'1\\", "t'2\\"].map((table) =>
      fixture.backend({ namespace: "n", schema, table }),
    );
    await one?.setup({ trigram: true, watch: true });
    await other?.setup();
    await one?.write("/a", "abcdef");
    expect((await one?.grep("abcdef"))?.matches).toHaveLength(1);
    expect((await other?.ls("/"))?.files).toEqual([]);
    for (const bad of ["", "a\0", "x".repeat(64)]) {
      expect(() => fixture.backend({ table: bad })).toThrow(TypeError);
      expect(() => fixture.backend({ schema: bad })).toThrow(TypeError);
    }
  });
});
