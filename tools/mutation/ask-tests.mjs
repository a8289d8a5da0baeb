// Asks the tests of the repository about one fault: Vitest runs them with the faulty module in place of its source.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../bootstrap/repository.mjs";

/** Milliseconds that tests without a fault may take. */
const SOUND_MS = 1_200_000;

/** What failed where a fault ends the program that runs the tests. */
const NO_ANSWER = "it ends without an answer";

/** The tests of one package: `suite` is what runs the suite on its backends, `own` are all of them. */
export class TestsOf {
  #name;
  #patience = {};

  constructor(name) {
    this.#name = name;
  }

  /** Without a fault nothing may be noticed: else every verdict would be worthless. */
  requireSound(part) {
    const began = Date.now();
    const { failed, hung } = this.#run(part, undefined, SOUND_MS);
    if (failed.length > 0 || hung)
      throw new Error(`Tests fail without a fault: ${failed.join(", ") || "they never end"}`);
    this.#patience[part] = 3 * (Date.now() - began) + 60_000;
  }

  /** The tests that fail with the fault, and fail again alone: a busy machine is no reason to call a fault noticed. */
  notices(part, fault) {
    if (this.#patience[part] === undefined) this.requireSound(part);
    const { failed, hung } = this.#run(part, fault, this.#patience[part]);
    if (hung) return ["a call that never ends"];
    if (failed.length === 0) return [];
    const only = failed[0] === NO_ANSWER ? undefined : failed[0];
    const again = this.#run(part, fault, this.#patience[part], only);
    return again.failed.length > 0 || again.hung ? failed : [];
  }

  #run(part, fault, patience, only) {
    const folder = mkdtempSync(join(tmpdir(), "fs-fault-"));
    const answer = join(folder, "answer.json");
    const { signal } = spawnSync(
      process.execPath,
      [
        `${root}/node_modules/vitest/vitest.mjs`,
        "run",
        "--config",
        `${root}/tools/mutation/vitest.config.ts`,
        "--bail=1",
        "--maxWorkers=1",
        "--reporter=json",
        `--outputFile=${answer}`,
        ...(only === undefined ? [] : [`--testNamePattern=${literally(only)}`]),
      ],
      {
        cwd: root,
        env: {
          ...process.env,
          FS_FAULT: JSON.stringify(fault ?? {}),
          FS_FAULT_PACKAGE: this.#name,
          FS_FAULT_PART: part,
        },
        stdio: "ignore",
        timeout: patience,
        killSignal: "SIGKILL",
      },
    );
    const failed = signal === null ? failuresIn(answer) : [];
    rmSync(folder, { recursive: true, force: true });
    return { failed, hung: signal !== null };
  }
}

function failuresIn(answer) {
  if (!existsSync(answer)) return [NO_ANSWER];
  const { success, testResults } = JSON.parse(readFileSync(answer, "utf8"));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed")
    .map(({ fullName }) => fullName);
  // A file that does not even load fails without a test.
  return failed.length === 0 && !success ? ["it does not load"] : failed;
}

function literally(text) {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
