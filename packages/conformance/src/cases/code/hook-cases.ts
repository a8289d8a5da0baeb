import type { BackendProtocolV2 } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { GuardedBackend } from "../../engine/guard.js";
import type { Case } from "../case.js";

const TREE = {
  "/src/a.ts": "import x\nconst a = 1;\r\nexport { a };\n",
  "/src/deep/b.ts": "const b = 'a';\n\n  const c = `$a`;",
  "/src/deep/.hidden": "const hidden\n",
  "/a-b.txt": "A\na\nÀ\n100%_x\n",
  "/[id].md": "# a\n",
  "/empty.txt": "",
  "/lines.txt": Array.from({ length: 700 }, (_, n) => `line ${n}\n`).join(""),
};

/** Calls that only read, chosen so that each push-down hook is asked for what it may get wrong. */
const READS: ReadonlyArray<readonly [method: string, ...args: unknown[]]> = [
  ["ls", "/"],
  ["ls", "/src"],
  ["ls", "/no"],
  ["ls", "/a-b.txt"],
  ["read", "/src/a.ts", 1, 1],
  ["read", "/lines.txt"],
  ["read", "/lines.txt", 500, 500],
  ["read", "/lines.txt", 699, 1],
  ["read", "/lines.txt", 700, 1],
  ["read", "/lines.txt", 10, 0],
  ["read", "/empty.txt"],
  ["read", "/empty.txt", 1, 1],
  ["read", "/src"],
  ["read", "/no"],
  ["glob", "**"],
  ["glob", "**/*.ts"],
  ["glob", "*.{txt,md}"],
  ["glob", "/src/**", "/src"],
  ["glob", "[[]id].md"],
  ["glob", "*", "/src/a.ts"],
  ["glob", "*", "/no"],
  ["grep", "a"],
  ["grep", "const", "/src"],
  ["grep", "const", "/src", "*.ts"],
  ["grep", "a", "/", "src/*.ts"],
  ["grep", "a", "/src/a.ts"],
  ["grep", "100%_", "/"],
  ["grep", "$a"],
  ["grep", "a", "/", null, 2],
  ["grep", "À", "/", null, null, { ignoreCase: true }],
  ["grep", "CONST", "/", null, null, { ignoreCase: true, before: 1, after: 1 }],
  ["grep", "x", "/no"],
];

/** Changes, each made twice on equal trees: with hooks and without. */
const CHANGES: ReadonlyArray<readonly [method: string, ...args: unknown[]]> = [
  ["edit", "/src/a.ts", "const a = 1;\nexport", "let a;\nexport"],
  ["edit", "/lines.txt", "line 1", "x"],
  ["edit", "/lines.txt", "line 69", "L$&", true],
  ["edit", "/no.txt", "a", "b"],
  ["edit", "/empty.txt", "", "filled"],
  ["edit", "/a-b.txt", "absent", "b"],
  ["write", "/src/a.ts", "again"],
  ["write", "/new/file.txt", "new"],
  [
    "multiEdit",
    "/a-b.txt",
    [
      { old: "A", new: "B" },
      { old: "B", new: "C" },
    ],
  ],
  [
    "multiEdit",
    "/a-b.txt",
    [
      { old: "C", new: "D" },
      { old: "zz", new: "C" },
    ],
  ],
  ["copy", "/src", "/copy"],
  ["copy", "/src/a.ts", "/copy/a.ts"],
  ["move", "/copy/deep", "/moved"],
  ["move", "/copy/a.ts", "/empty.txt"],
  ["move", "/copy/a.ts", "/empty.txt", { overwrite: true }],
  ["move", "/no", "/there"],
  ["delete", "/src"],
  ["delete", "/src"],
  ["delete", "/lines.txt"],
];

/** The same files without push-down hooks, for backends that can offer that. */
function unhooked(context: CaseContext, guarded: GuardedBackend, client: string): GuardedBackend {
  const backend: object = guarded.unguarded;
  const make: unknown = Reflect.get(backend, "withoutHooks");
  if (typeof make !== "function") throw new NotApplicable("the backend has no 'withoutHooks'");
  const plain: unknown = Reflect.apply(make, backend, []);
  // A harness may put a stand-in before its backend that answers everything later, this too.
  if (typeof plain !== "object" || plain === null || !("ls" in plain))
    throw new NotApplicable("'withoutHooks' answers no backend here");
  return context.guard(plain as BackendProtocolV2, client);
}

/** Times and versions differ between two trees, and paging details may be unknown to one side. */
function comparable(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(comparable);
  if (typeof result !== "object" || result === null || result instanceof Uint8Array) return result;
  const {
    modified_at: _m,
    created_at: _c,
    version: _v,
    totalLines: _t,
    ...rest
  } = result as Record<string, unknown>;
  // How large an edit left the file is reported where the storage knows it.
  if ("occurrences" in rest) delete rest["size"];
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, comparable(value)]));
}

/** Push-down hooks may be faster, and never different. */
export const hookCases: readonly Case[] = [
  {
    id: "hooks/reads",
    rules: ["A2"],
    level: "core",
    needs: [],
    why: "Every reading call answers the same with the volume's hooks and without them.",
    hint: "The answer without hooks is the right one: a hook must reproduce it, or decline.",
    run: async (context) => {
      const plain = unhooked(context, context.backend, "plain");
      await context.given(TREE);
      for (const [method, ...args] of READS) {
        const expected = comparable(await plain.call(method, args));
        const actual = comparable(await context.backend.call(method, args));
        context.check.equal(actual, expected, `${method} with hooks`);
      }
    },
  },
  {
    id: "hooks/changes",
    rules: ["A2"],
    level: "core",
    needs: ["!around"],
    why: "Every change answers and leaves the same with the volume's hooks and without them.",
    hint: "The answer without hooks is the right one: a hook must reproduce it, or decline and have changed nothing.",
    run: async (context) => {
      const twin = await context.stranger();
      const plain = unhooked(context, twin, "plain");
      await context.given(TREE);
      await context.given(TREE, plain);
      for (const [method, ...args] of CHANGES) {
        if (!context.backend.has(method)) continue;
        const expected = comparable(await plain.call(method, args));
        const actual = comparable(await context.backend.call(method, args));
        context.check.equal(actual, expected, `${method} with hooks`);
      }
      const paths = (await plain.glob("**")).files?.map(({ path }) => path) ?? [];
      const left = await context.contents(paths, plain);
      context.check.equal(
        (await context.backend.glob("**")).files?.map(({ path }) => path),
        paths,
        "The files left",
      );
      await context.holds(Object.fromEntries(left));
    },
  },
];
