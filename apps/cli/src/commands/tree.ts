import type { FileInfo, Filesystem } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Context, Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { wholeNumber } from "../numbers.js";
import { printable } from "../printable.js";

/** A directory or file with what is below it. */
interface Node {
  readonly info: FileInfo;
  readonly error?: string;
  readonly children?: readonly Node[];
}

/** `tree`: what is below a directory, indented. */
export const run: Run = async (context, [path = "/"], options) => {
  const depth = wholeNumber(options, "depth", 5);
  const files = await context.files([path], true);
  const top = await files.ls(path, { signal: context.signal });
  if (top.error !== undefined) return answer(context, top, () => []);
  const nodes = await nodesOf(files, top.files, depth, context);
  const { warnings } = top;
  const tree = { path, entries: nodes, ...(warnings === undefined ? {} : { warnings }) };
  const code = await answer(context, tree, () => linesOf(nodes, ""));
  return hasFailure(nodes) ? EXIT.partial : code;
};

async function nodesOf(
  files: Filesystem,
  infos: readonly FileInfo[],
  depth: number,
  context: Context,
): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  for (const info of infos) {
    if (info.is_dir !== true || depth <= 1) {
      nodes.push({ info });
      continue;
    }
    const listed = await files.ls(info.path, { signal: context.signal });
    nodes.push(
      listed.error === undefined
        ? {
            info,
            // What is left out of a directory is as good as one that cannot be listed.
            ...(listed.warnings === undefined ? {} : { error: listed.warnings.join(" ") }),
            children: await nodesOf(files, listed.files, depth - 1, context),
          }
        : { info, error: listed.error },
    );
  }
  return nodes;
}

function linesOf(nodes: readonly Node[], indent: string): readonly string[] {
  return nodes.flatMap(({ info, error, children = [] }) => {
    const name = info.path.replace(/\/$/, "").split("/").at(-1) ?? "";
    const label = `${indent}${printable(name)}${info.is_dir === true ? "/" : ""}`;
    return [
      error === undefined ? label : `${label} (${error})`,
      ...linesOf(children, `${indent}  `),
    ];
  });
}

function hasFailure(nodes: readonly Node[]): boolean {
  return nodes.some(({ error, children = [] }) => error !== undefined || hasFailure(children));
}
