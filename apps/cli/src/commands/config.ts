import { CONFIG_SCHEMA } from "@fs/config";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { UsageError } from "../usage-error.js";

/** `config`: where the configuration is and which routes it has; never the value of an option. */
export const run: Run = async (context, [what = "show"]) => {
  if (what === "schema")
    return answer(context, { schema: CONFIG_SCHEMA }, () => [
      JSON.stringify(CONFIG_SCHEMA, null, 2),
    ]);
  if (what !== "show") throw new UsageError("config shows 'show' (default) or 'schema'.");
  const { config, file } = await context.load();
  const routes = Object.entries(config.routes).map(([path, route]) => ({
    path,
    use: route.use,
    readOnly: route.readOnly === true || config.readOnly === true,
    options: Object.keys(route).filter((name) => !["use", "readOnly"].includes(name)),
  }));
  const source = file ?? "none: the current folder is at /workspace, read-only";
  return answer(context, { file: file ?? null, routes }, () => [
    `configuration: ${source}`,
    ...routes.map(({ path, use, readOnly, options }) =>
      [path, use, ...(readOnly ? ["read-only"] : []), ...options.map((name) => `${name}=…`)].join(
        "  ",
      ),
    ),
  ]);
};
