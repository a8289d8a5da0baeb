import type { CaseContext } from "../../engine/case-context.js";
import { OPTIONAL_METHODS } from "../../harness/profile.js";
import type { Case } from "../case.js";

/** Arguments that are not what a method asks for. */
const NONSENSE: readonly unknown[] = [
  undefined,
  null,
  42,
  Number.NaN,
  "",
  "relative",
  "/\0",
  {},
  [],
  true,
];

/** Bytes as callers have them: what copies one kind of them is a view of another. */
const BYTES: ReadonlyArray<readonly [kind: string, make: () => Uint8Array]> = [
  ["an array of bytes", () => Uint8Array.from([1, 2, 3])],
  ["a Buffer", () => Buffer.from([1, 2, 3])],
  ["a view of a larger array", () => Uint8Array.from([0, 1, 2, 3, 0]).subarray(1, 4)],
];

/** A5: what becomes of the bytes of an upload, while it is under way and afterwards, changes nothing that is stored. */
async function uploadsDetached({ backend, check }: CaseContext): Promise<void> {
  for (const [n, [kind, make]] of BYTES.entries())
    for (const moment of ["while it is stored", "afterwards"]) {
      const path = `/${n}/${moment}.bin`;
      const mine = make();
      const uploading = backend.unguarded.uploadFiles?.([[path, mine]]);
      if (moment === "afterwards") await uploading;
      mine.fill(9);
      await uploading;
      const [download] = await backend.downloadFiles([path]);
      check.equal(
        download?.content,
        Uint8Array.from([1, 2, 3]),
        `What is stored of ${kind} that is changed ${moment}`,
      );
    }
}

/** A5: what becomes of a content that was answered changes nothing that is stored. */
async function contentsDetached(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const stored = Uint8Array.from([1, 2, 3]);
  await context.given({ "/a.bin": stored });
  for (const take of [
    async () => (await backend.unguarded.downloadFiles?.(["/a.bin"]))?.[0]?.content,
    async () => (await backend.unguarded.read("/a.bin")).content,
    async () => (await backend.unguarded.readRaw("/a.bin")).data?.content,
  ]) {
    const taken = await take();
    if (taken instanceof Uint8Array) taken.fill(9);
    const [download] = await backend.downloadFiles(["/a.bin"]);
    check.equal(download?.content, stored, "The file after a result was changed");
  }
}

/** The methods every backend has, with how many arguments are worth spoiling. */
const REQUIRED_METHODS = [
  ["ls", 1],
  ["read", 3],
  ["readRaw", 1],
  ["write", 2],
  ["edit", 4],
  ["grep", 4],
  ["glob", 2],
] as const;

const GOOD_ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  ls: ["/"],
  read: ["/a.txt", 0, 10],
  readRaw: ["/a.txt"],
  write: ["/new.txt", "x"],
  edit: ["/a.txt", "not there", "b", false],
  grep: ["a", "/", "*.txt", 10],
  glob: ["*", "/"],
  delete: ["/gone.txt"],
  move: ["/gone.txt", "/b.txt"],
  copy: ["/gone.txt", "/b.txt"],
  multiEdit: ["/a.txt", [{ old: "a", new: "a" }]],
  uploadFiles: [[["/up.txt", new Uint8Array(1)]]],
  downloadFiles: [["/a.txt"]],
};

async function nonsense(context: CaseContext, method: string, spoiled: number): Promise<void> {
  const good = GOOD_ARGUMENTS[method] ?? [];
  for (let index = 0; index < spoiled; index++) {
    for (const value of NONSENSE) {
      await context.backend.call(method, good.with(index, value));
      context.check.that(true, `${method} answered.`);
    }
  }
  await context.holds({ "/a.txt": "a" });
}

function optionalMethods(context: CaseContext): string[] {
  return Object.entries(OPTIONAL_METHODS).flatMap(([flag, methods]) =>
    flag !== "execute" && context.profile[flag as "delete"] ? [...methods] : [],
  );
}

/** Rules of all calls, each in a case of its own; the guard around every backend checks them in all other cases too. */
export const guardCases: readonly Case[] = [
  {
    id: "guard/never-throws",
    rules: ["A1", "A10"],
    level: "core",
    needs: [],
    why: "Arguments of the wrong type or value are answered, never thrown at the caller.",
    hint: "Check the arguments inside the async function, and turn whatever is thrown into a result.",
    run: async (context) => {
      await context.given({ "/a.txt": "a" });
      for (const [method, spoiled] of REQUIRED_METHODS) await nonsense(context, method, spoiled);
    },
  },
  {
    id: "guard/never-throws-optional",
    rules: ["A1"],
    level: "core",
    needs: ["codes"],
    why: "Optional methods answer wrong arguments as well.",
    run: async (context) => {
      await context.given({ "/a.txt": "a" });
      for (const method of optionalMethods(context)) {
        await nonsense(context, method, (GOOD_ARGUMENTS[method] ?? []).length);
      }
      context.check.that(true, "Every method answered.");
    },
  },
  {
    id: "guard/listed-is-readable",
    rules: ["A4", "A3"],
    level: "core",
    needs: [],
    why: "Every file that ls, glob or grep names reads back under that path.",
    run: async (context) => {
      await context.given({
        "/a b.txt": "hit\n",
        "/d/[x].md": "hit\n",
        "/d/é/%2F.txt": "hit\n",
        "/d/s/#1?.txt": "hit\n",
      });
      const { backend, check } = context;
      const globbed = (await backend.glob("**")).files ?? [];
      const grepped = (await backend.grep("hit")).matches ?? [];
      const listed = (await backend.ls("/d")).files?.filter((file) => file.is_dir !== true) ?? [];
      check.equal(
        [globbed.length, grepped.length, listed.length],
        [4, 4, 1],
        "The number of files listed",
      );
      for (const { path } of [...globbed, ...grepped, ...listed]) {
        const read = await backend.read(path);
        check.equal(
          read.content,
          "hit\n",
          `What is read at the listed path ${JSON.stringify(path)}`,
        );
      }
    },
  },
  {
    id: "guard/results-detached",
    rules: ["A5"],
    level: "core",
    needs: ["transfer"],
    why: "Changing a result changes nothing that is stored, and neither does changing an uploaded buffer.",
    hint: "Copy bytes on the way in and on the way out: `new Uint8Array(bytes)` does, and `slice` of a Buffer does not. The suite overwrites every buffer after the call: stored bytes of 0x55 or 0xAA are its traces.",
    run: async (context) => {
      await uploadsDetached(context);
      await contentsDetached(context);
    },
  },
  {
    id: "guard/subarray",
    rules: ["T1"],
    level: "core",
    needs: ["transfer"],
    why: "A view into a larger buffer is uploaded as the view, not as the buffer.",
    hint: "new Uint8Array(view) copies the view; view.buffer is all of it.",
    run: async (context) => {
      const whole = new TextEncoder().encode("..view..");
      await context.backend.uploadFiles([["/a.txt", whole.subarray(2, 6)]]);
      await context.backend.uploadFiles([["/b.txt", Buffer.from("a pooled buffer")]]);
      await context.holds({ "/a.txt": "view", "/b.txt": "a pooled buffer" });
    },
  },
  {
    id: "guard/isolation",
    rules: ["A7"],
    level: "core",
    needs: ["!around"],
    why: "Two namespaces share nothing: the harness gives every case an empty backend of its own.",
    hint: "This tests the harness as much as the backend: derive the root, prefix or key space from ns.",
    run: async (context) => {
      const { backend, check } = context;
      check.equal((await backend.ls("/")).files, [], "A new backend");
      const stranger = await context.stranger();
      await context.given({ "/mine.txt": "mine" });
      await context.given({ "/theirs.txt": "theirs" }, stranger);
      await context.holds({ "/mine.txt": "mine", "/theirs.txt": null });
      await context.holds({ "/theirs.txt": "theirs", "/mine.txt": null }, stranger);
      check.equal(
        (await stranger.glob("**")).files?.map(({ path }) => path),
        ["/theirs.txt"],
        "The other namespace",
      );
    },
  },
  {
    id: "guard/aborted",
    rules: ["A8"],
    level: "core",
    needs: ["signals"],
    why: "A call whose signal has fired answers aborted and changes nothing.",
    run: async (context) => {
      await context.given({ "/a.txt": "a" });
      const { backend, check } = context;
      const options = { signal: AbortSignal.abort() };
      check.failed(await backend.read("/a.txt", 0, 10, options), "aborted", "read");
      check.failed(await backend.ls("/", options), "aborted", "ls");
      check.failed(await backend.glob("**", "/", options), "aborted", "glob");
      check.failed(await backend.grep("a", "/", null, null, options), "aborted", "grep");
      check.failed(await backend.write("/b.txt", "b", options), "aborted", "write");
      check.failed(await backend.edit("/a.txt", "a", "b", false, options), "aborted", "edit");
      if (context.profile.delete)
        check.failed(await backend.delete("/a.txt", options), "aborted", "delete");
      await context.holds({ "/a.txt": "a", "/b.txt": null });
    },
  },
];
