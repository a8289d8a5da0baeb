import { CompositeBackend, MemoryBackend, type BackendProtocolV2 } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import type { Case } from "../case.js";
import { pathsOf } from "./paths-of.js";

/** A composite whose route is the backend under test; the default is in memory and has files around and beneath it. */
async function routed(context: CaseContext, route = "/r/abcd/"): Promise<GuardedBackend> {
  const fallback = new MemoryBackend();
  await fallback.write("/r/abcde/near.txt", "hit near\n");
  await fallback.write("/r/abcd/beneath.txt", "hit beneath\n");
  await fallback.write("/top.txt", "hit top\n");
  return context.guard(
    new CompositeBackend(fallback, { [route]: context.backend.unguarded }),
    "composite",
  );
}

/** A backend whose every call fails, as one whose server is away. */
function failing(): BackendProtocolV2 {
  const failure = { error: "The storage is away.", code: "unavailable" } as const;
  const fail = async (): Promise<typeof failure> => failure;
  return { ls: fail, read: fail, readRaw: fail, write: fail, edit: fail, glob: fail, grep: fail };
}

function wrapCase(
  name: string,
  rules: readonly [string, ...string[]],
  why: string,
  run: (context: CaseContext) => Promise<void>,
  needs: readonly string[] = [],
): Case {
  return { id: `wrap/${name}`, rules, level: "core", needs, why, run };
}

/** The backend as a route of a composite. The whole suite behind a route is `behindRoute(harness)`. */
export const wrapCases: readonly Case[] = [
  wrapCase(
    "boundary",
    ["C1"],
    "A route captures its own segment only: /r/abcd is not /r/abcde.",
    async (context) => {
      const composite = await routed(context);
      const { check } = context;
      check.succeeded(await composite.write("/r/abcde/x.txt", "default"), "write beside the route");
      check.succeeded(await composite.write("/r/abcd/x.txt", "routed"), "write on the route");
      await context.holds({ "/x.txt": "routed", "/e/x.txt": null });
      check.equal(
        (await composite.read("/r/abcde/x.txt")).content,
        "default",
        "What lies beside the route",
      );
    },
  ),
  wrapCase(
    "full-paths",
    ["C1", "A6"],
    "Results and errors carry the full routed path.",
    async (context) => {
      const composite = await routed(context);
      const { check } = context;
      check.equal(
        (await composite.write("/r/abcd/d/a.txt", "hit")).path,
        "/r/abcd/d/a.txt",
        "The path of write",
      );
      check.equal(
        (await composite.edit("/r/abcd/d/a.txt", "hit", "hit!")).path,
        "/r/abcd/d/a.txt",
        "The path of edit",
      );
      check.equal(pathsOf((await composite.ls("/r/abcd/d")).files), ["/r/abcd/d/a.txt"], "ls");
      check.equal(
        pathsOf((await composite.glob("**", "/r/abcd")).files),
        ["/r/abcd/d/a.txt"],
        "glob",
      );
      check.equal(
        pathsOf((await composite.grep("hit", "/r/abcd")).matches),
        ["/r/abcd/d/a.txt"],
        "grep",
      );
      const { error = "" } = await composite.read("/r/abcd/no.txt");
      check.that(
        error.includes("/r/abcd/no.txt"),
        `The error should name the full path, but it says ${JSON.stringify(error)}.`,
      );
    },
  ),
  wrapCase(
    "ancestors",
    ["C2"],
    "ls of any ancestor shows the route, and what lies beneath it never appears.",
    async (context) => {
      const composite = await routed(context);
      const { check } = context;
      await context.given({ "/a.txt": "hit routed\n" });
      check.equal(pathsOf((await composite.ls("/")).files), ["/r/", "/top.txt"], "ls of the root");
      check.equal(
        pathsOf((await composite.ls("/r")).files),
        ["/r/abcd/", "/r/abcde/"],
        "ls of the parent",
      );
      check.equal(
        pathsOf((await composite.ls("/r/abcd")).files),
        ["/r/abcd/a.txt"],
        "ls of the route",
      );
      check.failed(
        await composite.read("/r/abcd/beneath.txt"),
        "not_found",
        "read beneath the route",
      );
      check.equal(
        pathsOf((await composite.grep("hit beneath")).matches),
        [],
        "grep beneath the route",
      );
    },
  ),
  wrapCase(
    "search-from-above",
    ["C3"],
    "glob and grep from above visit the route, in the order of one filesystem.",
    async (context) => {
      const composite = await routed(context);
      const { check } = context;
      await context.given({ "/a.txt": "hit routed\n", "/z/b.txt": "hit routed\n" });
      const all = ["/r/abcd/a.txt", "/r/abcd/z/b.txt", "/r/abcde/near.txt", "/top.txt"];
      check.equal(pathsOf((await composite.glob("**/*.txt")).files), all, "glob of everything");
      check.equal(
        pathsOf((await composite.glob("r/abcd/**")).files),
        all.slice(0, 2),
        "glob that names the route",
      );
      check.equal(pathsOf((await composite.grep("hit")).matches), all, "grep of everything");
      const capped = await composite.grep("hit", "/", null, 3);
      check.equal(
        [pathsOf(capped.matches), capped.truncated],
        [all.slice(0, 3), true],
        "grep with a cap",
      );
    },
  ),
  wrapCase(
    "failing-route",
    ["C4"],
    "A failing route fails the search; with partial: true it is a warning beside the rest.",
    async (context) => {
      const { check } = context;
      await context.given({ "/a.txt": "hit\n" });
      const routes = { "/ok/": context.backend.unguarded, "/bad/": failing() };
      const strict = context.guard(new CompositeBackend(new MemoryBackend(), routes), "composite");
      check.failed(await strict.glob("**"), "unavailable", "glob");
      check.failed(await strict.grep("hit"), "unavailable", "grep");
      const partial = context.guard(
        new CompositeBackend(new MemoryBackend(), routes, { partial: true }),
        "partial",
      );
      const found = await partial.glob("**");
      check.equal(
        [pathsOf(found.files), found.warnings?.length],
        [["/ok/a.txt"], 1],
        "glob with partial",
      );
    },
  ),
  wrapCase(
    "mounted-twice",
    ["C6"],
    "The same backend mounted twice is listed once per mount.",
    async (context) => {
      await context.given({ "/a.txt": "hit\n" });
      const backend = context.backend.unguarded;
      const composite = context.guard(
        new CompositeBackend(new MemoryBackend(), { "/one/": backend, "/two/": backend }),
        "composite",
      );
      context.check.equal(
        pathsOf((await composite.glob("**")).files),
        ["/one/a.txt", "/two/a.txt"],
        "glob",
      );
      context.check.equal(
        pathsOf((await composite.grep("hit")).matches),
        ["/one/a.txt", "/two/a.txt"],
        "grep",
      );
    },
  ),
  wrapCase(
    "route-stays",
    ["C7"],
    "A route itself cannot be removed, and what is on it stays.",
    async (context) => {
      const composite = await routed(context);
      await context.given({ "/a.txt": "a" });
      context.check.failed(
        await composite.delete("/r/abcd"),
        "permission_denied",
        "delete of the route",
      );
      context.check.failed(
        await composite.write("/r/abcd", "x"),
        ["permission_denied", "is_directory"],
        "write over the route",
      );
      await context.holds({ "/a.txt": "a" });
    },
    ["delete"],
  ),
  wrapCase(
    "move-across",
    ["M3"],
    "A move across routes copies, verifies and removes; a refused one changes nothing.",
    async (context) => {
      const composite = await routed(context);
      const { check } = context;
      check.succeeded(await composite.move("/top.txt", "/r/abcd/in.txt"), "move onto the route");
      await context.holds({ "/in.txt": "hit top\n" });
      check.failed(await composite.read("/top.txt"), "not_found", "read of the source");
      check.failed(
        await composite.move("/r/abcd/in.txt", "/r/abcde/near.txt"),
        "already_exists",
        "move over a file",
      );
      await context.holds({ "/in.txt": "hit top\n" });
    },
    ["move", "transfer", "delete"],
  ),
];
