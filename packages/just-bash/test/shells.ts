import { backendBash } from "@fs/just-bash";
import type { AnyBackendProtocol } from "@fs/protocol";
import type { Storage } from "@fs/test-servers/storages";
import { Bash, InMemoryFs } from "just-bash";
import { expect, it } from "vitest";
import { SESSION } from "./session.js";

const CWD = "/agent";

/** Runs every command of a session, one after the other, and returns what each said. */
async function said(bash: Bash): Promise<object[]> {
  const answers: object[] = [];
  for (const command of SESSION) {
    const { stdout, stderr, exitCode } = await bash.exec(`cd ${CWD}; ${command}`);
    answers.push({ command, stdout, failed: stderr !== "", exitCode });
  }
  return answers;
}

/** A session over a backend answers as the same session over just-bash's own memory. */
export function answersAsTheirs({ name, create }: Storage<AnyBackendProtocol>): void {
  it(`runs ${SESSION.length} commands over ${name} as over its own memory`, async () => {
    const memory = new InMemoryFs();
    await memory.mkdir(CWD, { recursive: true });
    const theirs = await said(new Bash({ fs: memory, cwd: "/" }));
    const ours = backendBash(Bash, create());
    await ours.exec(`mkdir -p ${CWD}`);
    expect(await said(ours)).toEqual(theirs);
  });
}
