import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { hasFailed } from "../../engine/checker.js";
import type { Case } from "../case.js";

/** One storage, reached by two mounts of a composite. */
export const mountCases: readonly Case[] = (["move", "copy"] as const).map((method) => ({
  id: `wrap/${method}-onto-itself-by-another-mount`,
  rules: ["M9", "C6", "A7"],
  level: "core",
  needs: method === "move" ? ["move", "transfer", "delete"] : ["copy", "transfer"],
  why: `${method} of a file to the same file under another mount leaves its content where it is.`,
  hint: "Store the destination, look whether the source is still at the version that was read, and only then remove it.",
  run: async (context) => {
    const backend = context.instance.backend;
    const composite = new CompositeBackend(new MemoryBackend(), { "/a/": backend, "/b/": backend });
    const mounted = context.guard(composite, "composite");
    context.check.succeeded(await mounted.write("/a/f.txt", "the only copy"), "write");
    for (const overwrite of [false, true]) {
      const result = await mounted.call(method, ["/a/f.txt", "/b/f.txt", { overwrite }]);
      const { code } = result as { code?: unknown };
      await context.holds({ "/f.txt": "the only copy" }, context.backend, "M9");
      if (method === "move")
        context.check.that(
          hasFailed(result as object),
          "A move of a file onto itself should be refused, but it was acknowledged.",
          "M9",
        );
      if (hasFailed(result as object))
        context.check.that(
          code === "conflict" || code === "already_exists",
          `${method} of a file onto itself should be conflict or already_exists, but is ${String(code)}.`,
          "M9",
        );
    }
  },
}));
