// The backends of `deepagents`, measured by `npm run conformance`. What fails is what the matrix is for, so that these
// tests demand only that each was measured.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BackendProtocolV2 } from "@fs/protocol";
import { runConformance, type Harness } from "@fs/conformance";
import { InMemoryStore, START, StateGraph, StateSchema } from "@langchain/langgraph";
import {
  CompositeBackend,
  createFilesystemMiddleware,
  FilesystemBackend,
  StateBackend,
  StoreBackend,
} from "deepagents";
import { afterAll, expect, test } from "vitest";
import { measuredTier, recordReport } from "./record-report.js";

const base = mkdtempSync(join(tmpdir(), "fs-conformance-deepagents-"));
afterAll(() => rmSync(base, { recursive: true }));

const entry = createRequire(import.meta.url).resolve("deepagents");
const manifest = JSON.parse(readFileSync(join(dirname(entry), "../package.json"), "utf8")) as {
  version: string;
};
const version = `deepagents ${manifest.version}`;

/**
 * What all of them are: `write` overwrites, as their documentation says, and nobody claims codes, versions, signals,
 * expressions, or the methods that the protocol of `deepagents` has not.
 */
const CLAIMED = {
  writeMode: "overwrite",
  codes: false,
  versions: false,
  signals: false,
  regex: false,
  move: false,
  copy: false,
  multiEdit: false,
} as const;

/** The types differ in what ours adds; the suite asks only for the methods. */
const asBackend = (backend: object): BackendProtocolV2 => backend as BackendProtocolV2;

const disk = (ns: string): FilesystemBackend =>
  new FilesystemBackend({ rootDir: join(base, ns), virtualMode: true });
const store = new InMemoryStore();
const stored = (ns: string): StoreBackend => new StoreBackend({ store, namespace: [ns] });

/** Runs a case within one step of a graph that has the `files` field of `deepagents`. */
async function withinStep(body: () => Promise<void>): Promise<void> {
  const { stateSchema } = createFilesystemMiddleware();
  const { fields } = stateSchema as unknown as { fields: Record<string, never> };
  const graph = new StateGraph(new StateSchema({ files: fields["files"] as never }))
    .addNode("step", async () => {
      await body();
      return {};
    })
    .addEdge(START, "step")
    .compile();
  await graph.invoke({});
}

const HARNESSES: readonly Harness[] = [
  {
    name: "deepagents FilesystemBackend",
    create: ({ ns }) => asBackend(disk(ns)),
    peer: ({ ns }) => asBackend(disk(ns)),
    reopen: ({ ns }) => asBackend(disk(ns)),
    secrets: [base],
    profile: {
      ...CLAIMED,
      ...methodsOf(FilesystemBackend),
      directories: "real",
      symlinks: "reject",
      durable: true,
    },
  },
  {
    name: "deepagents StateBackend",
    create: () => asBackend(new StateBackend()),
    around: (_, body) => withinStep(body),
    profile: {
      ...CLAIMED,
      ...methodsOf(StateBackend),
      atomicity: "instance",
      collisions: "allowed",
    },
  },
  {
    name: "deepagents StoreBackend on InMemoryStore",
    create: ({ ns }) => asBackend(stored(ns)),
    peer: ({ ns }) => asBackend(stored(ns)),
    reopen: ({ ns }) => asBackend(stored(ns)),
    profile: { ...CLAIMED, ...methodsOf(StoreBackend), collisions: "allowed", durable: true },
  },
  {
    name: "deepagents CompositeBackend over its FilesystemBackend and StoreBackend",
    create: ({ ns }) =>
      asBackend(new CompositeBackend(disk(ns), { "/stored/": stored(`${ns}-route`) })),
    secrets: [base],
    profile: {
      ...CLAIMED,
      ...methodsOf(CompositeBackend),
      // Its method is there, and its default backend here has no commands.
      execute: false,
      directories: "real",
      symlinks: "reject",
    },
  },
];

function methodsOf({ prototype }: { prototype: object }) {
  const has = (name: string): boolean => typeof Reflect.get(prototype, name) === "function";
  return { delete: has("delete"), transfer: has("uploadFiles") && has("downloadFiles") };
}

test.each(HARNESSES)("$name was measured", { timeout: 1_800_000 }, async (harness) => {
  const report = await runConformance({ ...harness, version }, { tier: measuredTier });
  recordReport(report, import.meta.filename);
  expect(report.totals["not-run"]).toBe(0);
  expect(report.totals.pass).toBeGreaterThan(0);
  // A harness that does not work would make the backend look bad.
  const broken = report.cases.filter(({ status }) => status === "error");
  expect(broken.map(({ text }) => text)).toEqual([]);
});
