import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { Case } from "../case.js";
import { hasFeature, requireFeature } from "./feature.js";

const encoder = new TextEncoder();

/** A9: an option that says what is so without it changes nothing, and neither does one that is undefined. */
async function explicitDefaults(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const call = async (method: Parameters<typeof backend.call>[0], args: unknown[]) =>
    (await backend.call(method, args)) as Answered & Record<string, unknown>;
  await context.given({ "/d/a.txt": "one One\ntwo\n", "/d/e/b.txt": "two\n" });
  const none = { ifVersion: undefined, signal: undefined };
  const looks: ReadonlyArray<
    readonly [
      method: Parameters<typeof backend.call>[0],
      args: readonly unknown[],
      same: readonly unknown[],
    ]
  > = [
    ["ls", ["/d"], ["/d", { signal: undefined }]],
    ["read", ["/d/a.txt"], ["/d/a.txt", undefined, undefined, { signal: undefined }]],
    ["read", ["/d/a.txt"], ["/d/a.txt", 0, 500]],
    ["readRaw", ["/d/a.txt"], ["/d/a.txt", {}]],
    ["glob", ["**"], ["**", undefined, {}]],
    ["grep", ["one"], ["one", null, null, null, {}]],
    [
      "grep",
      ["one"],
      [
        "one",
        "/",
        undefined,
        undefined,
        { regex: false, ignoreCase: false, before: 0, after: 0, signal: undefined },
      ],
    ],
    ...(profile.transfer
      ? ([["downloadFiles", [["/d/a.txt"]], [["/d/a.txt"], { signal: undefined }]]] as const)
      : []),
  ];
  for (const [method, args, same] of looks)
    check.equal(
      withoutContext(await call(method, [...same])),
      withoutContext(await call(method, [...args])),
      `What ${method} answers with its defaults spelled out`,
      "A9",
    );
  const changes: ReadonlyArray<readonly [string, () => Promise<Answered>]> = [
    ["write", () => call("write", ["/new.txt", "new\n", { ...none, ifAbsent: false }])],
    ["edit", () => call("edit", ["/new.txt", "new", "newer", false, none])],
    ...(profile.multiEdit
      ? ([
          [
            "multiEdit",
            () =>
              call("multiEdit", [
                "/new.txt",
                [{ old: "newer", new: "n", replaceAll: false }],
                none,
              ]),
          ],
        ] as const)
      : []),
    ...(profile.copy
      ? ([["copy", () => call("copy", ["/new.txt", "/copy.txt", { overwrite: false }])]] as const)
      : []),
    ...(profile.move
      ? ([["move", () => call("move", ["/new.txt", "/moved.txt", { overwrite: false }])]] as const)
      : []),
    ...(profile.delete
      ? ([
          ["delete", () => call("delete", [profile.move ? "/moved.txt" : "/new.txt", none])],
        ] as const)
      : []),
  ];
  for (const [method, change] of changes)
    check.succeeded(await change(), `${method} with its defaults spelled out`, "A9");
  const again = await call("write", ["/d/a.txt", "other\n", { ifAbsent: false }]);
  const over = "write over a file with `ifAbsent: false`";
  if (profile.writeMode === "create") check.failed(again, "already_exists", over, "W1");
  else check.succeeded(again, over, "W1");
  if (!profile.transfer || !hasFeature(context, "conditionalUploads")) return;
  for (const condition of [{}, { ifAbsent: false }, { ifVersion: undefined }, undefined])
    for (const path of ["/up.txt", "/d/a.txt"]) {
      const files = [[path, encoder.encode("uploaded\n"), condition]];
      const [stored] = (await backend.call("uploadFiles", [files])) as Answered[];
      check.equal(
        stored?.error,
        null,
        `The error of an upload to ${path} on the condition ${JSON.stringify(condition)}`,
        "T3",
      );
      if (profile.delete && path === "/up.txt") await backend.delete(path);
    }
}

/** A9, W5, W8: a default that is spelled out says nothing against an option beside it. */
async function besideOthers(context: CaseContext): Promise<void> {
  requireFeature(context, "versions");
  const { backend, check, profile } = context;
  const path = "/d/a.txt";
  await context.given({ [path]: "one\n" });
  const current = async (): Promise<unknown> => (await backend.read(path)).version;
  const change = async (
    method: Parameters<typeof backend.call>[0],
    args: (ifVersion: unknown) => readonly unknown[],
  ): Promise<void> => {
    const answer = await backend.call(method, args(await current()));
    const one = (Array.isArray(answer) ? answer[0] : answer) as Answered;
    check.succeeded(
      { ...one, error: one.error ?? undefined },
      `${method} with the right version, and its defaults spelled out`,
      "A9",
    );
  };
  await change("write", (ifVersion) => [path, "two\n", { ifVersion, ifAbsent: false }]);
  await change("write", (ifVersion) => [path, "six\n", { ifAbsent: undefined, ifVersion }]);
  await change("edit", (ifVersion) => [path, "six", "one", false, { ifVersion }]);
  if (profile.multiEdit)
    await change("multiEdit", (ifVersion) => [
      path,
      [{ old: "one", new: "two", replaceAll: false }],
      { ifVersion, signal: undefined },
    ]);
  if (profile.transfer && hasFeature(context, "conditionalUploads"))
    for (const ifAbsent of [false, undefined])
      await change("uploadFiles", (ifVersion) => [
        [[path, encoder.encode(`${String(ifAbsent)}\n`), { ifVersion, ifAbsent }]],
      ]);
  const wrong = { ifVersion: "none", ifAbsent: false };
  const refused = (await backend.call("write", [path, "lost\n", wrong])) as Answered;
  check.failed(refused, "conflict", "write with a wrong version, and `ifAbsent: false`", "W5");
  const created = { ifAbsent: true, ifVersion: undefined };
  const made = (await backend.call("write", ["/new.txt", "new\n", created])) as Answered;
  check.succeeded(made, "write that creates, with an `ifVersion` that is undefined", "W8");
  if (!profile.delete) return;
  await change("delete", (ifVersion) => [path, { ifVersion, signal: undefined }]);
}

/** Without the empty context that a search may give where none was asked for. */
function withoutContext(answer: Answered & Record<string, unknown>): unknown {
  const { matches } = answer;
  if (!Array.isArray(matches)) return answer;
  return {
    ...answer,
    matches: matches.map(({ path, line, text }: Record<string, unknown>) => ({ path, line, text })),
  };
}

/** Options that say what is so without them. */
export const explicitDefaultCases: readonly Case[] = [
  {
    id: "guard/explicit-defaults",
    rules: ["A9", "T3", "W8", "W1"],
    level: "core",
    needs: [],
    why: "A default that is spelled out, and an option that is undefined, are as good as none.",
    hint: "false is not the opposite condition: `ifAbsent: false` asks for nothing.",
    run: explicitDefaults,
  },
  {
    id: "version/beside-defaults",
    rules: ["A9", "W5", "W8", "T3"],
    level: "core",
    needs: ["versions"],
    why: "A version is a condition also where the default of another option is spelled out beside it.",
    hint: "Look at what an option says, not at whether it is there: `ifAbsent: false` contradicts no version.",
    run: besideOthers,
  },
];
