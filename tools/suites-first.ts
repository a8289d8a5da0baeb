import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes more than five minutes: begun last, one of them alone would be the end of a run. */
const LONGEST =
  /\/(?:(?:s3|shell)\/test\/conformance\.int|custom-backend-levels|mutants-of-every-call|odd-answers)\.test\.ts$/;

/** Runs of the whole conformance suite, in few lines of their own, its mutants, and starts of its program. */
const LONG = new RegExp(
  [
    String.raw`[\w.-]*conformance[\w.-]*`,
    String.raw`(?:further-deployments|unknown-outcomes)(?:\.int)?`,
    String.raw`staging/test/(?:disk|(?:postgres|s3)\.int)`,
    "cli|cli-levels|custom-backend|custom-backend-levels|writing-a-backend",
    "mutants-of-every-call|mutants-of-methods|odd-answers|odd-backends",
  ]
    .map((name) => `/(?:${name})\\.test\\.ts$`)
    .join("|"),
);

/**
 * Starts the longest files of each project first: without times of an earlier run Vitest goes by the size of a file, and
 * a deployment of two lines that takes minutes ran last, alone.
 */
export default class SuitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Vitest's, which answers a new list
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    // Files that share no process with others may go before those of another project.
    const turn = ({ name, config }: TestSpecification["project"]): number =>
      config.isolate ? projects.length : projects.indexOf(name);
    const rank = ({ project, moduleId }: TestSpecification): number =>
      turn(project) * 3 + placeOf(moduleId);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function placeOf(file: string): number {
  if (LONGEST.test(file)) return 0;
  return LONG.test(file) ? 1 : 2;
}
