import type { ApplyReport } from "@fs/staging";
import { answer } from "./answer.js";
import type { Context } from "./context.js";
import { EXIT } from "./exit-codes.js";
import { printable } from "./printable.js";

/** Prints what became of each path of a commit, an undo or a restore, and gives the exit code. */
export async function answerApplied(
  context: Context,
  result: ApplyReport | { readonly error: string },
): Promise<number> {
  const code = await answer(context, result, (report) =>
    report.paths.map(({ path, status, detail }) =>
      [status, printable(path), ...(detail === undefined ? [] : [`(${printable(detail)})`])].join(
        " ",
      ),
    ),
  );
  if (!("paths" in result) || result.complete) return code;
  const { paths } = result;
  if (paths.some(({ status }) => status === "applied" || status === "already")) return EXIT.partial;
  return paths.some(({ status }) => status === "conflict") ? EXIT.conflict : EXIT.failed;
}
