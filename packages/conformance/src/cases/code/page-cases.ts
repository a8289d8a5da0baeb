import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

/** Pages through a listing with every page size, and compares with the whole. */
async function pages(context: CaseContext, method: "ls" | "glob"): Promise<void> {
  const { features }: { features?: unknown } = context.instance.backend;
  if (!Array.isArray(features) || !features.includes("pages"))
    throw new NotApplicable("the backend's 'features' do not name 'pages'");
  const { backend, check } = context;
  const files = range(11).map(
    (n) => `/d/${["a", "é", "Z", "😀"][n % 4] ?? ""}${n}${n % 3 === 0 ? "/x" : ""}.txt`,
  );
  await context.given(Object.fromEntries(files.map((path) => [path, path])));
  const call = async (options?: object): Promise<Page> => {
    const rest = options === undefined ? [] : [options];
    return (await backend.call(
      method,
      method === "ls" ? ["/d", ...rest] : ["**", "/d", ...rest],
    )) as Page;
  };
  const whole = pathsOf(await call());
  for (const limit of [1, 2, 3, 5, whole.length - 1, whole.length, whole.length + 1]) {
    const found: string[] = [];
    let after: string | undefined;
    for (let page = 0; page <= whole.length; page++) {
      const answer = await call(after === undefined ? { limit } : { limit, after });
      check.succeeded(answer, `page ${page} of ${method}`, "A2");
      const paths = pathsOf(answer);
      check.that(
        paths.length <= limit,
        `A page of ${limit} should not have ${paths.length} entries.`,
        "A2",
      );
      found.push(...paths);
      const isLast = found.length >= whole.length;
      check.equal(
        answer.truncated === true,
        !isLast,
        `'truncated' of page ${page} of ${method} with ${limit}`,
        "A2",
      );
      if (isLast) break;
      after = answer.nextAfter;
      check.that(
        typeof after === "string",
        `Page ${page} of ${method} should say where the next begins.`,
        "A2",
      );
    }
    check.equal(found, whole, `The pages of ${limit} of ${method} in a row`, "L3");
  }
}

interface Page {
  readonly error?: string;
  readonly files?: ReadonlyArray<{ readonly path: string }>;
  readonly truncated?: boolean;
  readonly nextAfter?: string;
}

function pathsOf({ files = [] }: Page): string[] {
  return files.map(({ path }) => path);
}

/** Pages of listings, where the backend offers them. */
export const pageCases: readonly Case[] = (["ls", "glob"] as const).map((method) => ({
  id: `${method}/pages`,
  rules: ["L5", "F4", "A2", method === "ls" ? "L3" : "G1"],
  level: "core",
  needs: ["transfer"],
  why: `Pages of ${method} in a row are the whole listing, in order; the last one says that it is.`,
  run: (context) => pages(context, method),
}));
