import type { Filesystem } from "@fs/protocol";

// The storage's own (F2, L2). The size of a change is left out as well: it is given only where it is known (F3).
const MAY_DIFFER: ReadonlySet<string> = new Set([
  "version",
  "modified_at",
  "created_at",
  "filesUpdate",
]);

/** A call, and what it answers, without what may differ between storages: versions and times. */
interface Answered {
  readonly call: string;
  readonly answer: string;
}

/** The answers of one place to the battery. */
export interface BatteryResult {
  readonly place: string;
  readonly answers: readonly Answered[];
}

/** Calls whose answers are decided by docs/semantics.md: good ones, and those that go wrong. */
export async function askBattery(
  place: string,
  files: Filesystem,
  folder: string,
): Promise<BatteryResult> {
  const answers: Answered[] = [];
  const ask = async (call: string, result: Promise<object>): Promise<void> => {
    const facts = Object.entries(await result)
      .filter(([name]) => name !== "size")
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const shown = JSON.stringify(Object.fromEntries(facts), (name, value: unknown) =>
      MAY_DIFFER.has(name) ? undefined : value,
    );
    // Paths below the folder of this place are the same path everywhere.
    answers.push({ call, answer: shown.replaceAll(folder, "") });
  };
  const at = (name: string): string => `${folder}/${name}`;
  await ask("write", files.write(at("a.txt"), "one\ntwo\nthree\n"));
  await ask("write again", files.write(at("a.txt"), "other"));
  await ask("write nested", files.write(at("deep/b[1].md"), "x\r\ny\r\n"));
  await ask("read a page", files.read(at("a.txt"), 1, 1));
  await ask("read past the end", files.read(at("a.txt"), 9));
  await ask("read what is missing", files.read(at("none.txt")));
  await ask("read a directory", files.read(at("deep")));
  await ask("edit", files.edit(at("a.txt"), "two", "$& 2"));
  await ask("edit what is not there", files.edit(at("a.txt"), "absent text", "x"));
  await ask("edit what is there twice", files.edit(at("a.txt"), "e", "x"));
  await ask("edit across CRLF", files.edit(at("deep/b[1].md"), "x\ny", "1\n2"));
  await ask("read the CRLF file", files.read(at("deep/b[1].md")));
  await ask("ls", files.ls(folder));
  await ask("ls a file", files.ls(at("a.txt")));
  await ask("glob one level", files.glob("*.md", folder));
  await ask("glob any depth", files.glob("**/*.md", folder));
  await ask("grep", files.grep("e", folder));
  await ask("an invalid path", files.read(at("../x")));
  return { place, answers };
}

/** The calls that two places answer differently, none of which there should be. */
export function differences(results: readonly BatteryResult[]): string[] {
  const [first, ...others] = results;
  return others.flatMap(({ place, answers }) =>
    answers.flatMap(({ call, answer }, index) =>
      answer === first?.answers[index]?.answer
        ? []
        : [`${call}: ${place} answers ${answer}, ${first?.place} ${first?.answers[index]?.answer}`],
    ),
  );
}
