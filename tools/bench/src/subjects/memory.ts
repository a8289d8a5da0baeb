import {
  CompositeBackend,
  MemoryBackend,
  withAudit,
  withPermissions,
  withPolicy,
} from "@fs/protocol";
import { contentOf, fill, pathOf } from "../operations.js";
import type { Subject } from "../subject.js";

/** Files in memory, beside a plain Map. */
export const memory: Subject = {
  suite: "memory",
  title: "Memory",
  sides: { ours: "MemoryBackend", limit: "a Map" },
  clock: "cpu",
  mostFiles: 100_000,
  open: async (files) => {
    const ours = new MemoryBackend();
    await fill(ours, files);
    const map = new Map(
      Array.from({ length: files }, (_, file) => [pathOf(file), contentOf(file)] as const),
    );
    const below = (prefix: string): string[] =>
      [...map.keys()].filter((path) => path.startsWith(prefix));
    let written = 0;
    return {
      ours,
      limits: {
        read: () => map.get("/d0/f0.md"),
        write: () => map.set(`/new/${++written}.md`, contentOf(written)),
        edit: () => map.set("/d0/f1.md", (map.get("/d0/f1.md") ?? "").replace("file 1", "file 1")),
        "ls of a directory of 100": () => below("/d0/"),
        "grep of everything, no match": () =>
          [...map.values()].filter((text) => text.includes("absent")),
      },
      close: async () => {},
    };
  },
};

/** What the router and wrappers add to a call that costs next to nothing. */
export const wrapped: Subject = {
  suite: "wrappers",
  title: "Router and wrappers",
  sides: {
    ours: "ten routes, permissions, policy and audit over MemoryBackend",
    limit: "MemoryBackend alone",
  },
  clock: "cpu",
  mostFiles: 1_000,
  open: async (files) => {
    const inner = new MemoryBackend();
    await fill(inner, files);
    const bare = new MemoryBackend();
    await fill(bare, files);
    const routes = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`/route${at}/`, new MemoryBackend()]),
    );
    const guarded = withPermissions(new CompositeBackend(inner, routes), [
      { operations: ["read", "write"], paths: ["/secrets/**"], mode: "deny" },
    ]);
    const ours = withAudit(withPolicy(guarded, { beforeWrite: () => undefined }), () => {});
    const { operations } = await import("../operations.js");
    return { ours, limits: operations(bare), close: async () => {} };
  },
};
