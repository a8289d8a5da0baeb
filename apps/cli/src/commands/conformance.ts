import { openTree, type RouteConfig } from "@fs/config";
import type { Filesystem } from "@fs/protocol";
import type { Context, Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { UsageError } from "../usage-error.js";
import { textOption } from "../numbers.js";

/** `conformance`: the suite on a route's storage, in a space beside its files. */
export const run: Run = async (context, [route = ""], options) => {
  const { config, folder } = await context.load();
  const name = Object.keys(config.routes).find(
    (path) => path.replace(/\/$/, "") === route.replace(/\/$/, ""),
  );
  const given = name === undefined ? undefined : config.routes[name];
  if (given === undefined) throw new UsageError(`There is no route '${route}'.`);
  const tier = textOption(options, "tier") ?? "quick";
  if (tier !== "quick" && tier !== "full") throw new UsageError("--tier is quick or full.");
  const { BAD_STATUSES, runConformance } = await import("@fs/conformance");
  const report = await runConformance(
    {
      name: given.use,
      profile: "probe",
      create: async ({ ns }) => {
        const tree = await openTree({ routes: { "/": scratchRoute(given, ns) } }, { folder });
        return {
          backend: tree.routes[0]?.backend ?? tree.backend,
          dispose: async () => {
            await emptied(tree.backend, context);
            await tree.dispose();
          },
        };
      },
    },
    { tier, onCase: () => undefined },
  );
  const failed = report.cases.filter(({ status }) => BAD_STATUSES.has(status));
  await context.output.result(report, () => [
    ...failed.map(({ id, text }) => `${id}: ${text ?? "failed"}`),
    `${report.cases.length - failed.length} of ${report.cases.length} cases did not fail`,
  ]);
  return report.ok ? EXIT.ok : EXIT.failed;
};

/** The same storage, a space of its own. */
function scratchRoute(route: RouteConfig, ns: string): RouteConfig {
  const { readOnly: _readOnly, quota: _quota, ...options } = route;
  const space = `fs-conformance-${ns}`;
  const joined = (name: string, separator: string): RouteConfig => {
    const before = options[name];
    return {
      ...options,
      use: route.use,
      [name]: typeof before === "string" ? `${before}${separator}${space}` : space,
    };
  };
  switch (route.use) {
    case "memory":
      return { ...options, use: route.use };
    case "disk":
      return joined("rootDir", "/");
    case "postgres":
    case "redis":
      return joined("namespace", ".");
    case "s3":
      return joined("prefix", "/");
    default:
      throw new UsageError(`The suite cannot make a space of its own in '${route.use}'.`);
  }
}

async function emptied(files: Filesystem, { signal }: Context): Promise<void> {
  const listed = await files.ls("/", { signal });
  for (const { path } of listed.files ?? [])
    await files.delete?.(path.replace(/\/$/, ""), { signal });
}
