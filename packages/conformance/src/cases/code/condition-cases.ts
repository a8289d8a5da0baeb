import type { EditOperation } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { type Answered, hasFailed } from "../../engine/checker.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";
import { versionOf } from "./version-of.js";

const encoder = new TextEncoder();

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

/** W5, E9: a change at a version is refused at another one, also where it would change nothing. */
async function ofNoChange(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/a.txt";
  await context.given({ [path]: "one" });
  const old = await versionOf(context, path);
  check.succeeded(await backend.edit(path, "one", "two"), "edit", "E1");
  const changes: Array<readonly [string, (ifVersion: string) => Promise<Answered>]> = [
    ["edit to the same", (ifVersion) => backend.edit(path, "two", "two", false, { ifVersion })],
    ["write of the same", (ifVersion) => backend.write(path, "two", { ifVersion })],
  ];
  if (profile.multiEdit) {
    const several = (edits: EditOperation[]) => (ifVersion: string) =>
      backend.multiEdit(path, edits, { ifVersion });
    changes.push(
      ["multiEdit to the same", several([{ old: "two", new: "two" }])],
      [
        "multiEdit there and back",
        several([
          { old: "two", new: "six" },
          { old: "six", new: "two" },
        ]),
      ],
    );
  }
  for (const [what, change] of changes) {
    check.failed(await change(old), "conflict", `${what} at an old version`, "W5");
    const version = await versionOf(context, path);
    check.succeeded(await change(version), `${what} at the version of the file`, "W5");
    await context.holds({ [path]: "two" });
  }
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
    id: "version/of-no-change",
    rules: ["W5", "E9", "E8"],
    level: "core",
    needs: ["versions"],
    why: "A change at an old version is a conflict, also where it leads to what the file holds.",
    hint: "Compare the version before anything is answered.",
    run: ofNoChange,
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
];
