import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";
import { versionOf } from "./version-of.js";

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

/** Uploads on a condition, of one file or of some in a batch. */
export const conditionalUploadCases: readonly Case[] = [
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
    id: "upload/one-condition-twice",
    rules: ["T3", "T1", "W5"],
    level: "core",
    needs: ["transfer", "versions"],
    why: "Where a batch has a path twice, the condition of the second one is of what the first has left.",
    hint: "Conditions are compared when their file is stored, not for the whole batch before.",
    run: async (context) => {
      requireFeature(context, "conditionalUploads");
      await context.given({ "/a.txt": "old" });
      const ifVersion = await versionOf(context, "/a.txt");
      const answers = (await context.backend.call("uploadFiles", [
        [
          ["/a.txt", encoder.encode("first"), { ifVersion }],
          ["/new.txt", encoder.encode("first"), { ifAbsent: true }],
          ["/b.txt", encoder.encode("b")],
          ["/a.txt", encoder.encode("lost"), { ifVersion }],
          ["/new.txt", encoder.encode("lost"), { ifAbsent: true }],
        ],
      ])) as Array<{ error?: unknown }>;
      const failed = [false, false, false, true, true];
      context.check.equal(answers.map(hasFailed), failed, "Which uploads failed", "T3");
      await context.holds({ "/a.txt": "first", "/new.txt": "first", "/b.txt": "b" });
    },
  },
  {
    id: "upload/refused-in-nobodys-way",
    rules: ["T1", "T3", "W2"],
    level: "core",
    needs: ["transfer", "collisions=refused"],
    why: "A file of a batch that is refused keeps none below its path from being stored.",
    hint: "Whether a file stands in the way is known once it is stored, not once it is asked for.",
    run: async (context) => {
      requireFeature(context, "conditionalUploads");
      const answers = (await context.backend.call("uploadFiles", [
        [
          ["/a", encoder.encode("lost"), { ifVersion: "none" }],
          ["/a/b", encoder.encode("b")],
          ["/c/d", encoder.encode("d")],
        ],
      ])) as Array<{ error?: unknown }>;
      context.check.equal(
        answers.map(hasFailed),
        [true, false, false],
        "Which uploads failed",
        "T1",
      );
      await context.holds({ "/a": null, "/a/b": "b", "/c/d": "d" });
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
