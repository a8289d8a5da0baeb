import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { hasFailed } from "../../engine/checker.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

const encoder = new TextEncoder();

/** Uploads one file on a condition, and gives its answer. */
async function upload(
  context: CaseContext,
  path: string,
  text: string,
  condition: object,
): Promise<{ error?: unknown; code?: unknown; version?: unknown }> {
  const answers = await context.backend.call("uploadFiles", [
    [[path, encoder.encode(text), condition]],
  ]);
  return (Array.isArray(answers) ? (answers as object[])[0] : undefined) ?? {};
}

async function versionOf(context: CaseContext, path: string): Promise<string> {
  const { version } = await context.backend.read(path);
  if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
  return version;
}

/** The version of a file, which `stat` gives too. */
async function steadyVersionOf(context: CaseContext, path: string): Promise<string> {
  const version = await versionOf(context, path);
  if (!context.backend.has("stat")) return version;
  const { info } = (await context.backend.call("stat", [path])) as { info?: { version?: unknown } };
  if (info?.version !== undefined)
    context.check.equal(info.version, version, "The version that stat gives", "F2");
  return version;
}

/** Every way to learn a version gives the same one. */
async function oneVersion(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/d/a.txt";
  const changes: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ["write", () => backend.write(path, "one")],
    ["edit", () => backend.edit(path, "one", "two")],
    ...(profile.multiEdit
      ? [["multiEdit", () => backend.multiEdit(path, [{ old: "two", new: "six" }])] as const]
      : []),
    // A part of a larger buffer: the size is that of the part.
    [
      "uploadFiles",
      async () => (await backend.uploadFiles([[path, encoder.encode("<ten>").subarray(1, 4)]]))[0],
    ],
  ];
  const seen = new Set<unknown>();
  for (const [method, change] of changes) {
    const answer = (await change()) as { error?: unknown; version?: unknown; size?: unknown };
    check.that(!hasFailed(answer), `${method} should have succeeded.`, "W5");
    const read = await versionOf(context, path);
    const ways: Array<readonly [string, unknown]> = [
      [`the result of ${method}`, answer.version],
      ["readRaw", (await backend.readRaw(path)).version],
      ["ls", (await backend.ls("/d")).files?.[0]?.version],
      ["glob", (await backend.glob("**")).files?.[0]?.version],
      [
        "downloadFiles",
        ((await backend.downloadFiles([path]))[0] as { version?: unknown }).version,
      ],
      ...(backend.has("stat")
        ? [
            [
              "stat",
              ((await backend.call("stat", [path])) as { info?: { version?: unknown } }).info
                ?.version,
            ] as const,
          ]
        : []),
    ];
    for (const [way, version] of ways)
      if (version !== undefined)
        check.equal(version, read, `The version that ${way} gives after ${method}`, "W5");
    if (answer.size !== undefined)
      check.equal(answer.size, 3, `The size that ${method} gives`, "L2");
    check.that(!seen.has(read), `${method} should give a version that was not there before.`, "W5");
    seen.add(read);
  }
}

/** The version that a change answered is good for the next one. */
async function chained(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const first = await backend.write("/a.txt", "n0");
  if (first.version === undefined) throw new NotApplicable("write gives no 'version'");
  let version: string | undefined = first.version;
  for (const n of range(4)) {
    if (version === undefined) throw new NotApplicable("edit gives no 'version'");
    const edited = await backend.edit("/a.txt", `n${n}`, `n${n + 1}`, false, {
      ifVersion: version,
    });
    check.succeeded(edited, `edit ${n} at the version of the change before`, "W5");
    const late = await backend.edit("/a.txt", `n${n + 1}`, "lost", false, { ifVersion: version });
    check.failed(late, "conflict", `edit ${n} at the version before that`, "W5");
    version = edited.version;
  }
  await context.holds({ "/a.txt": "n4" });
}

/** Conditions of writes and uploads, where the backend offers them. */
export const conditionCases: readonly Case[] = [
  {
    id: "version/one-for-all",
    rules: ["F2", "F3", "W5"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "Every result that gives a version gives the same one, and a new one after every change.",
    run: oneVersion,
  },
  {
    id: "version/chained",
    rules: ["W5"],
    level: "core",
    needs: ["versions"],
    why: "The version that a change answered lets the next one through, once.",
    run: chained,
  },
  {
    id: "version/never-again",
    rules: ["F2", "W5"],
    level: "core",
    needs: ["versions", "delete", "transfer"],
    why: "Of all the contents that a path ever had no two have the same version, also across removals.",
    hint: "A counter per file begins anew when the file is made anew. Count per storage, or use random numbers.",
    run: async (context) => {
      const seen: string[] = [];
      for (const n of range(4)) {
        // A file that was empty may be one of which a storage keeps nothing.
        const old = n === 1 ? "" : "same";
        await context.given({ "/a.txt": n === 1 ? "" : `same ${n}`, "/other.txt": String(n) });
        seen.push(await steadyVersionOf(context, "/a.txt"));
        context.check.succeeded(await context.backend.edit("/a.txt", old, `else ${n}`), "edit");
        seen.push(await steadyVersionOf(context, "/a.txt"));
        context.check.succeeded(await context.backend.delete("/a.txt"), "delete");
      }
      context.check.equal(new Set(seen).size, seen.length, "The number of distinct versions", "W5");
    },
  },
  {
    id: "write/if-absent",
    rules: ["W8"],
    level: "core",
    needs: ["transfer"],
    why: "A write with ifAbsent creates, and refuses a file that is there, whatever the mode.",
    run: async (context) => {
      requireFeature(context, "conditionalUploads");
      const { backend, check, profile } = context;
      await context.given({ "/there.txt": "old", "/d/sub/a.txt": "a" });
      const options = { ifAbsent: true };
      check.succeeded(await backend.write("/new.txt", "new", options), "write of a new file");
      check.failed(
        await backend.write("/there.txt", "new", options),
        "already_exists",
        "write over a file",
      );
      if (profile.collisions === "refused") {
        const over = await backend.write("/d", "new", options);
        check.failed(over, "is_directory", "write over a directory", "W2");
      }
      const both = { ifAbsent: true, ifVersion: "1" };
      check.failed(
        await backend.write("/other.txt", "x", both),
        "invalid_argument",
        "write on two conditions",
      );
      await context.holds({ "/new.txt": "new", "/there.txt": "old", "/other.txt": null });
    },
  },
  {
    id: "upload/if-absent",
    rules: ["T3", "F4", "T1", "W4"],
    level: "core",
    needs: ["transfer"],
    why: "An upload with ifAbsent stores a new file and refuses one that is there.",
    run: async (context) => {
      requireFeature(context, "conditionalUploads");
      await context.given({ "/there.txt": "old" });
      const { check } = context;
      check.that(
        !hasFailed(await upload(context, "/new.txt", "new", { ifAbsent: true })),
        "A new file should be stored.",
      );
      const second = await upload(context, "/there.txt", "new", { ifAbsent: true });
      check.that(hasFailed(second), "A file that is there should be refused.", "T1");
      if (second.code !== undefined)
        check.equal(second.code, "already_exists", "The code of the refusal", "T1");
      await context.holds({ "/new.txt": "new", "/there.txt": "old" });
    },
  },
  {
    id: "upload/if-version",
    rules: ["T3", "F4", "T1", "W5"],
    level: "core",
    needs: ["transfer", "versions"],
    why: "An upload with ifVersion replaces exactly that version, per file of the batch.",
    run: async (context) => {
      requireFeature(context, "conditionalUploads");
      const { backend, check } = context;
      await context.given({ "/a.txt": "a0", "/b.txt": "b0" });
      const [a, b] = [await versionOf(context, "/a.txt"), await versionOf(context, "/b.txt")];
      check.succeeded(await backend.edit("/b.txt", "b0", "b1"), "edit");
      const answers = await backend.call("uploadFiles", [
        [
          ["/a.txt", encoder.encode("a1"), { ifVersion: a }],
          ["/b.txt", encoder.encode("lost"), { ifVersion: b }],
          ["/none.txt", encoder.encode("lost"), { ifVersion: a }],
          ["/c.txt", encoder.encode("c1")],
        ],
      ]);
      const failed = (answers as Array<{ error?: unknown }>).map(hasFailed);
      check.equal(failed, [false, true, true, false], "Which uploads failed", "T1");
      await context.holds({ "/a.txt": "a1", "/b.txt": "b1", "/none.txt": null, "/c.txt": "c1" });
    },
  },
  {
    id: "conc/upload-if-absent",
    rules: ["T3", "W4", "T1"],
    level: "safe",
    needs: ["transfer"],
    why: "Of several uploads of one path with ifAbsent exactly one wins, and the file is the winner's.",
    run: async (context) => {
      requireFeature(context, "conditionalUploads");
      for (const round of range(8)) {
        const path = `/r${round}.txt`;
        const answers = await race(
          range(6).map((n) => () => upload(context, path, `writer ${n}`, { ifAbsent: true })),
        );
        const winners = answers.flatMap((answer, n) => (hasFailed(answer) ? [] : [n]));
        context.check.equal(winners.length, 1, "The number of winners of one path", "W4");
        await context.holds({ [path]: `writer ${winners[0]}` }, context.backend, "A7");
      }
    },
  },
];
