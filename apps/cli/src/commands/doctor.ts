import type { Filesystem } from "@fs/protocol";
import { joinPath } from "@fs/protocol/author";
import { randomUUID } from "node:crypto";
import type { Context, Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { VERSION } from "../version.js";

/** What was found out about a route. */
interface Finding {
  readonly path: string;
  readonly use: string;
  readonly reachable: boolean;
  readonly latencyMs?: number;
  readonly features?: readonly string[];
  /** Whether a condition is really honoured; `undefined` where it was not tried. */
  readonly conditions?: Readonly<Record<"create" | "replace" | "delete", boolean>>;
  readonly problems: readonly string[];
}

/** `doctor`: probes each route and cleans up behind itself. A read-only route is not written to. */
export const run: Run = async (context) => {
  const { file } = await context.load();
  const { config } = await context.load();
  const findings: Finding[] = [];
  for (const path of new Set(["/", ...Object.keys(config.routes)])) {
    const directory = path.endsWith("/") ? path : `${path}/`;
    findings.push(await probeRoute(context, directory));
  }
  const healthy = findings.every(({ problems }) => problems.length === 0);
  const versions = { "fs-agent": VERSION, node: process.version };
  await context.output.result({ configuration: file ?? null, versions, routes: findings }, () => [
    `fs-agent ${VERSION}, Node ${process.version}, configuration: ${file ?? "none"}`,
    ...findings.flatMap(linesOf),
  ]);
  return healthy ? EXIT.ok : EXIT.failed;
};

async function probeRoute(context: Context, path: string): Promise<Finding> {
  try {
    const tree = await context.open({ paths: [path], deep: false });
    const route = tree.routes.find((one) => one.path === path);
    if (route?.backend === undefined) throw new TypeError("The route is not open.");
    const head = { path, use: route.use };
    const began = performance.now();
    const listed = await route.backend.ls("/", { signal: context.signal });
    const latencyMs = Math.round((performance.now() - began) * 10) / 10;
    if (listed.error !== undefined && listed.code !== "not_found")
      return { ...head, reachable: false, problems: [listed.error] };
    const features = route.backend.features ?? [];
    const found = { ...head, reachable: true, latencyMs, features };
    if (route.readOnly) return { ...found, problems: [] };
    const probed = await probeConditions(route.backend, context);
    return { ...found, ...probed };
  } catch (error) {
    const message = error instanceof Error ? error.message : "It cannot be opened.";
    return { path, use: "?", reachable: false, problems: [message] };
  }
}

/** Creates, replaces and removes one file, each time once more with a condition that must not hold. */
async function probeConditions(
  files: Filesystem,
  { signal }: Context,
): Promise<Pick<Finding, "conditions" | "problems">> {
  const path = joinPath("", `fs-agent-doctor-${randomUUID()}.txt`);
  try {
    const created = await files.write(path, "one\n", { signal, ifAbsent: true });
    if (created.error !== undefined) return { problems: [created.error] };
    const again = await files.write(path, "two\n", { signal, ifAbsent: true });
    const replaced = await files.edit(path, "one", "three", false, {
      signal,
      ifVersion: "no-such-version",
    });
    const deleted = await files.delete?.(path, { signal, ifVersion: "no-such-version" });
    const read = await files.read(path, 0, 2, { signal });
    const conditions = {
      create: again.code === "already_exists",
      replace: replaced.code === "conflict" && read.content === "one\n",
      delete: deleted?.code === "conflict",
    };
    const broken = Object.entries(conditions).filter(([, honoured]) => !honoured);
    return {
      conditions,
      problems: broken.map(([name]) => `The condition of ${name} is not honoured.`),
    };
  } finally {
    await files.delete?.(path);
  }
}

function linesOf({
  path,
  use,
  reachable,
  latencyMs,
  features,
  conditions,
  problems,
}: Finding): readonly string[] {
  const honoured = Object.entries(conditions ?? {})
    .filter(([, value]) => value)
    .map(([name]) => name);
  return [
    [
      path,
      use,
      reachable ? `reachable in ${latencyMs} ms` : "NOT REACHABLE",
      ...(conditions === undefined ? [] : [`conditions: ${honoured.join(" ") || "none"}`]),
      ...(features === undefined || features.length === 0
        ? []
        : [`features: ${features.join(" ")}`]),
    ].join("  "),
    ...problems.map((problem) => `  ${problem}`),
  ];
}
