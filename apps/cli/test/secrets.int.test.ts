import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMMANDS } from "../src/table.js";
import { build, fsAgent } from "./support/program.js";

const SECRET = "hunter2+S3cret/9";
const ENCODED = encodeURIComponent(SECRET);
const env = {
  DB: `postgres://me:${ENCODED}@127.0.0.1:1/db`,
  CACHE: `redis://:${ENCODED}@127.0.0.1:1`,
  KEY: SECRET,
};

// Each in its own way cannot work: a server that is not there, options that are refused, a file that cannot be understood.
const CONFIGS: Readonly<Record<string, string>> = {
  "unreachable.json": JSON.stringify({
    routes: {
      "/": { use: "postgres", url: "${DB}" },
      "/r/": { use: "redis", url: "${CACHE}" },
    },
  }),
  "refused.json": JSON.stringify({
    routes: { "/": { use: "postgres", url: "${DB}", schema: "${KEY}\u0000" } },
  }),
  "literal.json": JSON.stringify({
    routes: {
      "/": {
        use: "s3",
        bucket: "b",
        connection: {
          endpoint: "http://127.0.0.1:1",
          region: "x",
          credentials: { accessKeyId: "me", secretAccessKey: SECRET },
        },
      },
    },
  }),
  "unknown.json": JSON.stringify({ routes: { "/": { use: SECRET } } }),
  "broken.json": `{"routes": {"/": {"password": "${SECRET}", }}`,
  "broken.yaml": `routes:\n  "/": {password: "${SECRET}"\n`,
  "thrown.mjs": `throw new Error(process.env.KEY);`,
  "missing.json": JSON.stringify({
    routes: { "/": { use: "postgres", url: "${NOT_SET}${DB}" } },
  }),
};

const ARGS: Readonly<Record<string, readonly string[]>> = {
  read: ["/a"],
  write: ["/a"],
  stat: ["/a"],
  edit: ["/a", "x", "y"],
  rm: ["/a"],
  mv: ["/a", "/b"],
  cp: ["/a", "/b"],
  glob: ["*"],
  grep: ["x"],
  exec: ["env"],
  upload: ["*.json", "--to", "/up"],
  download: ["/", "-"],
  diff: ["/a", "/b"],
  discard: ["--all"],
  blame: ["/a"],
  undo: ["--actor", "somebody"],
  redo: ["x"],
  snapshot: ["x"],
  restore: ["x"],
  conformance: ["/nowhere"],
  completion: ["bash"],
};

let cwd = "";
beforeAll(async () => {
  await build();
  cwd = await mkdtemp(join(tmpdir(), "fs-cli-secrets-"));
  for (const [name, text] of Object.entries(CONFIGS)) await writeFile(join(cwd, name), text);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

it("no command prints a secret, whatever is wrong with the configuration", async () => {
  // A server that is listening for a client would wait; it opens the same tree as all others.
  const commands = COMMANDS.filter(({ name }) => name !== "mcp");
  const runs = Object.keys(CONFIGS).flatMap((config, at) =>
    // Every command meets every second configuration, in text or as JSON.
    commands
      .filter((_, index) => index % 2 === at % 2)
      .map(({ name }, index) => [
        ...(index % 2 === 0 ? ["--json"] : []),
        "--config",
        config,
        name,
        ...(ARGS[name] ?? []),
      ]),
  );
  expect(runs.length).toBeGreaterThan(70);
  for (let at = 0; at < runs.length; at += 4) {
    const ended = await Promise.all(
      runs.slice(at, at + 4).map((args) => fsAgent(args, { cwd, env })),
    );
    for (const { stdout, stderr, code } of ended) {
      const said = stdout + stderr;
      for (const secret of [SECRET, ENCODED, JSON.stringify(SECRET).slice(1, -1)])
        expect(said).not.toContain(secret);
      expect([0, 1, 2, 3, 4, 5]).toContain(code);
    }
  }
});
