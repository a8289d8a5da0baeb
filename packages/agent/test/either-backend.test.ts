import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { HubServer } from "@fs/test-servers/hub";
import { DIFFERENCES, type Difference } from "./backends/differences.js";
import { CLASSES, documentedOptions, publicMembers, Uses } from "./backends/members.js";
import { PACKAGES } from "./backends/packages.js";
import { temporaryDirectory } from "./backends/host-files.js";
import { PROGRAMS, type Surroundings } from "./backends/programs.js";

// Programs written for the backends of deepagents 1.14 run with either package by switching the import. They see the same,
// but for what is listed; and what is listed is in the guide, and is still so.
let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(() => hub.stop());

const uses = new Uses();
const met = new Set<Difference>();
const warned = new Set<string>();
const onWarning = ({ code }: Error & { code?: string }): void => void warned.add(code ?? "");
process.on("warning", onWarning);
afterAll(() => void process.off("warning", onWarning));

async function observe(
  program: string,
  side: keyof typeof PACKAGES,
): Promise<Record<string, unknown>> {
  let names = 0;
  const around: Surroundings = {
    uses,
    hub,
    directory: () => {
      const { path, remove } = temporaryDirectory();
      onTestFinished(remove);
      return path;
    },
    name: () => `${side}-${program.toLowerCase()}-${names++}`,
  };
  const run = PROGRAMS[program];
  if (run === undefined) throw new Error(`there is no program ${program}`);
  return run(PACKAGES[side], around);
}

describe("a program for deepagents", () => {
  test.each(Object.keys(PROGRAMS))("%s sees the same with either package", async (program) => {
    const ours = await observe(program, "ours");
    const theirs = await observe(program, "theirs");
    const unlisted: Record<string, unknown> = {};
    for (const [observation, seen] of Object.entries(theirs)) {
      if (JSON.stringify(ours[observation]) === JSON.stringify(seen)) continue;
      const listed = DIFFERENCES.filter(
        (each) => each.programs.test(program) && each.observations.test(observation),
      );
      for (const difference of listed) met.add(difference);
      if (listed.length === 0) unlisted[observation] = { ours: ours[observation], theirs: seen };
    }
    expect(unlisted).toEqual({});
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    expect(Object.keys(theirs).length).toBeGreaterThan(1);
  });
});

describe("the programs use", () => {
  test.each(CLASSES)("every public member of %s", (name) => {
    const members = publicMembers(name);
    expect(members.length).toBeGreaterThan(5);
    expect(members.filter((member) => !uses.has(name, member))).toEqual([]);
  });

  test("every documented option", () => {
    const source = readFileSync(join(import.meta.dirname, "backends", "programs.ts"), "utf8");
    const options = documentedOptions();
    expect(options).toEqual(
      expect.arrayContaining(["rootDir", "initialFiles", "namespace", "client"]),
    );
    expect(options.filter((option) => !new RegExp(`\\b${option}\\b[:,]`).test(source))).toEqual([]);
  });
});

describe("each difference", () => {
  const guide = readFileSync(
    join(import.meta.dirname, "../../../docs/migrating-from-deepagents.md"),
    "utf8",
  );
  const rows = guide.split("\n").filter((line) => line.startsWith("|"));

  test.each(DIFFERENCES)("$row: is still there, and in the guide", (difference) => {
    expect(met.has(difference)).toBe(true);
    const row = rows.filter((line) => line.split(" | ")[0]?.slice(1).trim() === difference.row);
    expect(row).toHaveLength(1);
    const { warning } = difference;
    if (warning === undefined) return;
    expect(row[0]).toContain(warning);
    expect([...warned]).toContain(warning);
  });
});
