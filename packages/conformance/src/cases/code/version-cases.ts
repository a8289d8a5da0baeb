import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import { textOf, treeOf } from "../../eyes/tree.js";
import { CONTENT_SITUATIONS } from "../../matrix/content-situations.js";
import { linesOf } from "../../model/text-rules.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";
import { requireFeature } from "./feature.js";

const encoder = new TextEncoder();

/** Fields of a result that may be a batch of one. */
interface Facts {
  readonly error?: unknown;
  readonly version?: unknown;
  readonly size?: unknown;
}

/** The version that a method reports of a file. */
async function versionIn(context: CaseContext, method: string, path: string): Promise<unknown> {
  const { backend } = context;
  switch (method) {
    case "read":
      return (await backend.read(path)).version;
    case "read of the second page":
      return (await backend.read(path, 1, 1)).version;
    case "readRaw":
      return (await backend.readRaw(path)).version;
    case "stat": {
      const { info } = (await backend.call("stat", [path])) as { info?: Facts };
      return info?.version;
    }
    default:
      return ((await backend.downloadFiles([path]))[0] as Facts | undefined)?.version;
  }
}

/** F2: every method that shows a content names its version, the same one. */
async function inEveryAnswer(context: CaseContext): Promise<void> {
  requireFeature(context, "versions");
  const { backend, check, profile } = context;
  const files = Object.fromEntries(
    CONTENT_SITUATIONS.flatMap(({ given, path }, n) => {
      const content = given[path];
      const fits = profile.content === "bytes" || typeof content === "string";
      return content !== undefined && fits ? [[`/${n}${path}`, content]] : [];
    }),
  );
  await context.given(files);
  for (const [path, held] of treeOf(files)) {
    const methods = ["read", "readRaw", "downloadFiles"];
    if (linesOf(textOf(path, held) ?? "").length > 1) methods.push("read of the second page");
    if (backend.has("stat")) methods.push("stat");
    const versions = new Map<string, unknown>();
    for (const method of methods) versions.set(method, await versionIn(context, method, path));
    for (const [method, version] of versions) {
      check.that(
        typeof version === "string" && version !== "",
        `The backend's 'features' name 'versions', but ${method} of ${path} gives ${JSON.stringify(version)}.`,
        "F2",
      );
      check.equal(
        version,
        versions.get("read"),
        `The version that ${method} gives of ${path}`,
        "F2",
      );
    }
  }
}

/** F3: every change reports the version that it stored, and its size in bytes. */
async function inEveryChange(context: CaseContext): Promise<void> {
  requireFeature(context, "versions");
  const { backend, profile } = context;
  const answered = async (method: string, answer: unknown, path: string): Promise<void> => {
    const facts = answer as Facts;
    const stored = (await context.contents([path])).get(path) ?? "";
    const { length } = typeof stored === "string" ? encoder.encode(stored) : stored;
    context.check.that(facts.error == null, `${method} should have succeeded.`, "F3");
    const version = await versionIn(context, "read", path);
    context.check.equal(facts.version, version, `The version that ${method} answers`, "F3");
    if (facts.size !== undefined)
      context.check.equal(facts.size, length, `The size in bytes that ${method} answers`, "F3");
  };
  await answered("write", await backend.write("/a.txt", "é😀 one\r\n"), "/a.txt");
  await answered("edit", await backend.edit("/a.txt", "one", "日本"), "/a.txt");
  await answered("edit of all", await backend.edit("/a.txt", "日", "日日", true), "/a.txt");
  if (profile.multiEdit)
    await answered(
      "multiEdit",
      await backend.multiEdit("/a.txt", [
        { old: "本", new: "x" },
        { old: "x", new: "ü and more" },
      ]),
      "/a.txt",
    );
  const uploads: Array<[string, Uint8Array]> = [
    ["/b.txt", encoder.encode("ééé")],
    ["/a.txt", encoder.encode("")],
    ["/c/d.txt", encoder.encode("one of three")],
  ];
  const answers = await backend.uploadFiles(uploads);
  for (const [n, [path]] of uploads.entries())
    await answered(`item ${n} of uploadFiles`, answers[n], path);
}

/** W5: a directory has no version, and a condition on one removes nothing. */
async function ofADirectory(context: CaseContext): Promise<void> {
  await context.given({ "/d/a.txt": "a", "/d/sub/b.txt": "b" });
  const { backend, check } = context;
  const { version } = await backend.read("/d/a.txt");
  for (const ifVersion of ["1", version ?? "2"]) {
    const refused = await backend.delete("/d", { ifVersion });
    check.failed(
      refused,
      ["is_directory", "conflict", "invalid_argument", "unsupported"],
      "delete of a directory at a version",
      "W5",
    );
  }
  await context.holds({ "/d/a.txt": "a", "/d/sub/b.txt": "b" });
}

function bytes(): Uint8Array {
  return encoder.encode("new");
}

/** What a condition on one file of a batch means for that file, and for no other. */
async function conditionsApart(context: CaseContext): Promise<void> {
  requireFeature(context, "conditionalUploads");
  await context.given({
    "/there.txt": "old",
    "/other.txt": "old",
    "/kept.txt": "old",
    "/void.txt": "old",
  });
  const { backend, check } = context;
  const { version } = await backend.read("/kept.txt");
  const answers = (await backend.call("uploadFiles", [
    [
      ["/first.txt", bytes(), { ifAbsent: true }],
      ["/there.txt", bytes()],
      ["/other.txt", bytes(), { ifAbsent: false }],
      ["/none.txt", bytes(), { ifAbsent: undefined, ifVersion: undefined }],
      ["/both.txt", bytes(), { ifAbsent: true, ifVersion: "1" }],
      ["/number.txt", bytes(), { ifVersion: 1 }],
      ["/word.txt", bytes(), { ifAbsent: "yes" }],
      ["/unknown.txt", bytes(), { ifversion: "1" }],
      ["/listed.txt", bytes(), ["ifAbsent"]],
      ["/kept.txt", bytes(), { ifAbsent: true, ifVersion: version }],
      ["/void.txt", bytes(), { ifVersion: "" }],
    ],
  ])) as Facts[];
  check.equal(
    answers.map(({ error }) => error != null),
    [false, false, false, false, true, true, true, true, true, true, true],
    "Which files of the batch were refused",
    "T3",
  );
  const stored = ["/first.txt", "/there.txt", "/other.txt", "/none.txt"].map((path) => [
    path,
    "new",
  ]);
  const refused = ["both", "number", "word", "unknown", "listed"].map((name) => [
    `/${name}.txt`,
    null,
  ]);
  await context.holds(
    Object.fromEntries([
      ...stored,
      ...refused,
      ["/kept.txt", "old"],
      ["/void.txt", "old"],
    ]) as Record<string, string | null>,
    backend,
    "T3",
  );
}

/** Sizes with a place to change that a version of the size, of the first or of the last bytes does not see. */
const LONG_SIZES = [700, 5000, 70_000];

/** F2: one byte makes another version, wherever it is, and the one before is refused. */
async function ofEveryByte(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const size of sizesWithin(context, LONG_SIZES)) {
    const path = `/long/${size}.txt`;
    const long = new Uint8Array(size).fill(0x78);
    const seen = new Set<unknown>();
    for (const place of [size - 1, 0, Math.floor(size / 2), size - 300]) {
      const old = seen.size === 0 ? undefined : (await backend.read(path)).version;
      long[place] = 0x79;
      const [stored] = await backend.uploadFiles([[path, long.slice()]]);
      check.equal(stored?.error, null, `The upload of ${size} bytes`, "T1");
      const { version } = await backend.read(path);
      if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
      check.that(
        !seen.has(version),
        `Byte ${place} of ${size} was changed, but the version is one that the file had before.`,
        "F2",
      );
      seen.add(version);
      if (old === undefined) continue;
      const answer = await backend.write(path, "late", { ifVersion: old });
      check.failed(
        answer,
        "conflict",
        `write at the version before byte ${place} of ${size}`,
        "W5",
      );
    }
  }
}

/** Versions and conditions, where the backend says that it has them. */
export const versionCases: readonly Case[] = [
  {
    id: "version/in-every-answer",
    rules: ["F2", "F4", "F1"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "A backend whose features name versions gives the same one in read, of any page, readRaw, downloads and stat.",
    run: inEveryAnswer,
  },
  {
    id: "version/of-every-byte",
    rules: ["F2", "W5"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "A change of one byte of a long file is a change of its version, wherever the byte is.",
    hint: "Hash the whole content, or count changes.",
    run: ofEveryByte,
  },
  {
    id: "version/in-every-change",
    rules: ["F3", "F4", "F2"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "Every change answers the version it stored and its size in bytes, each file of a batch its own.",
    hint: "Sizes are bytes of UTF-8. Answers of a batch stay with their files.",
    run: inEveryChange,
  },
  {
    id: "version/of-a-directory",
    rules: ["W5", "D1"],
    level: "core",
    needs: ["versions", "delete", "transfer"],
    why: "A directory is not removed on the version of a file.",
    run: ofADirectory,
  },
  {
    id: "upload/conditions-apart",
    rules: ["T3", "A9", "T1"],
    level: "core",
    needs: ["transfer"],
    why: "Each condition of a batch is its file's own; one that is false or undefined is none, and one that is empty or of a wrong type is refused.",
    run: conditionsApart,
  },
];
