import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { npmInstall } from "../src/npm-install.js";
import { output } from "../src/tarballs.js";
import { root } from "../src/workspace.js";
import { tarballsOf } from "./packed.js";

const FAULTY = `import { MemoryBackend } from "@fs/protocol";

class ExpandsDollars extends MemoryBackend {
  async edit(path, old, to, all, options) {
    const text = typeof old === "string" && old !== "" ? old.replace(old, to) : to;
    return super.edit(path, old, text, all, options);
  }
}

export default { name: "faulty", create: () => new ExpandsDollars() };
`;
const GOOD = `import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";

// Two clients of one storage.
const volumes = new Map();
function open({ ns }) {
  if (!volumes.has(ns)) volumes.set(ns, new MemoryVolume());
  return new VolumeBackend(volumes.get(ns));
}

// Expressions need an optional package, which nobody installed here.
export default { name: "good", create: open, peer: open, profile: { regex: false } };
`;

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  packageManager: string;
};
const PNPM = ["npx", "--yes", "--loglevel=error", packageManager] as const;

/** How each package manager installs a project, and starts a program of it. */
const MANAGERS = [
  {
    name: "npm",
    install: (project: string) => npmInstall(project, "--ignore-scripts"),
    start: ["npm", "exec", "--no", "--", "fs-conformance"],
  },
  {
    name: "pnpm",
    install: async (project: string) => {
      const [command, ...args] = [...PNPM, "install", "--ignore-scripts"] as const;
      await output(command, args, { cwd: project });
    },
    start: [...PNPM, "exec", "fs-conformance"],
  },
] as const;

let folder: string;
let tarballs: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fs-conformance-packed-"));
  tarballs = tarballsOf("@fs/conformance");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(MANAGERS)("the packed suite, installed by $name into an empty project", (manager) => {
  let project: string;
  const start = (...args: string[]): Promise<{ code: number; printed: string }> => {
    const [command, ...before] = manager.start;
    return new Promise((resolve) => {
      execFile(command, [...before, ...args], { cwd: project }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, printed: stdout + stderr });
      });
    });
  };

  beforeAll(async () => {
    project = join(folder, manager.name);
    await mkdir(project);
    const dependencies = Object.fromEntries(
      [...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]),
    );
    const manifest = { name: "empty", private: true, type: "module", dependencies };
    await writeFile(join(project, "package.json"), JSON.stringify(manifest));
    // No registry has these versions: what one tarball asks of another comes from the other tarball.
    const overrides = [...tarballs].map(([name, tarball]) => `  "${name}": "file:${tarball}"\n`);
    await writeFile(
      join(project, "pnpm-workspace.yaml"),
      `packages: []\noverrides:\n${overrides.join("")}`,
    );
    await writeFile(join(project, "good.js"), GOOD);
    await writeFile(join(project, "faulty.js"), FAULTY);
    await manager.install(project);
  });

  test("a good backend earns its levels: 0", async () => {
    const { code, printed } = await start("./good.js", "--json", "report.json");
    expect(printed).toContain("Earned: Core, Safe.");
    expect(code).toBe(0);
    const report: unknown = JSON.parse(await readFile(join(project, "report.json"), "utf8"));
    expect(report).toMatchObject({ ok: true, levels: { core: "earned", safe: "earned" } });
  });

  test("a faulty one does not, and is told the rule and what to do: 1", async () => {
    const { code, printed } = await start("./faulty.js");
    expect(printed).toContain("FAIL edit/literal-dollar");
    expect(printed).toContain("E2  Replacement is literal");
    expect(printed).toContain("Use a function, or split and join.");
    expect(code).toBe(1);
  });

  test("what does not exist is the caller's fault: 2", async () => {
    const { code, printed } = await start("./not-there.js");
    expect(printed).toContain("There is no file './not-there.js'");
    expect(code).toBe(2);
  });
});
