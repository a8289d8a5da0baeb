import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InMemoryStore } from "@langchain/langgraph";
import type * as deepagents from "deepagents";
import { clientOf } from "../../../hub/test/hub-fixture.js";
import type { HubServer } from "@fs/test-servers/hub";
import { firstFormat, firstVersion, foreignSandbox, returningUpdates } from "./foreign-backends.js";
import { existsAs, unrooted } from "./host-files.js";
import type { Uses } from "./members.js";
import type { BackendPackage } from "./packages.js";
import { everyCall, seen } from "./seen.js";

/** What a program may use beside the package that it imports. */
export interface Surroundings {
  readonly uses: Uses;
  readonly hub: HubServer;
  /** A fresh directory of the host. */
  readonly directory: () => string;
  /** A name that nothing else uses. */
  readonly name: () => string;
}

type Program = (from: BackendPackage, around: Surroundings) => Promise<Record<string, unknown>>;

/** Programs written for deepagents 1.14, by class. What each returns is what it saw. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  async FilesystemBackend({ FilesystemBackend }, { uses, directory }) {
    const rootDir = directory();
    const files = uses.of(
      "FilesystemBackend",
      new FilesystemBackend({ rootDir, virtualMode: true }),
    );
    const small = new FilesystemBackend({ rootDir, virtualMode: true, maxFileSizeMb: 0.001 });
    const host = new FilesystemBackend({ rootDir, virtualMode: false });
    writeFileSync(join(rootDir, "large.txt"), "needle ".repeat(1000));
    return {
      ...(await everyCall(files)),
      "a path outside": seen(await files.read("/../../etc/hostname")),
      "a search in a file over maxFileSizeMb, without a hit": seen(await small.grep("thread", "/")),
      "paths of the host": seen(await host.read(join(rootDir, "up.txt"))),
      "a relative path of the host": seen(await host.read("up.txt")),
      "what is on the disk": readFileSync(join(rootDir, "up.txt"), "utf8"),
    };
  },

  async "FilesystemBackend without virtualMode"({ FilesystemBackend }, { directory }) {
    const rootDir = directory();
    const files = new FilesystemBackend({ rootDir });
    const path = join(rootDir, "a.txt");
    return {
      "write a path of the host": seen(await files.write(path, "x")),
      "the file is there": existsAs(path),
    };
  },

  async StateBackend({ StateBackend }, { uses }) {
    const state: { files: Record<string, deepagents.FileData> } = { files: {} };
    const runtime = { state, store: undefined } as unknown as deepagents.BackendRuntime;
    const backend = new StateBackend(runtime);
    const files = uses.of("StateBackend", returningUpdates(backend, state.files));
    return {
      ...(await everyCall(files)),
      "the files of the state": Object.keys(state.files).toSorted(),
      "the first format": await firstFormat(StateBackend, runtime),
    };
  },

  async StoreBackend({ StoreBackend }, { uses }) {
    const store = new InMemoryStore();
    const made = new StoreBackend({ store, namespace: ["memories", "ada"] });
    const files = uses.of("StoreBackend", made);
    const answers = await everyCall(files);
    const named = new StoreBackend({ store, namespace: () => ["memories", "ada"] });
    const older = new StoreBackend({ store, namespace: ["older"], fileFormat: "v1" });
    await older.write("/v1.txt", "one\ntwo");
    const [item] = await store.search(["older"]);
    return {
      ...answers,
      "a namespace as a function": seen(await named.read("/up.txt")),
      "another namespace": seen(await new StoreBackend({ store, namespace: ["else"] }).ls("/")),
      "keys of the store": (await store.search(["memories", "ada"]))
        .map(({ key }) => key)
        .toSorted(),
      "the first format": item?.value["content"],
    };
  },

  async CompositeBackend(
    { CompositeBackend, FilesystemBackend, StoreBackend, LocalShellBackend },
    { uses, directory },
  ) {
    const rootDir = directory();
    const shell = new LocalShellBackend({ rootDir, virtualMode: true, inheritEnv: true });
    const store = new InMemoryStore();
    const memories = new StoreBackend({ store, namespace: ["memories"] });
    const docs = new FilesystemBackend({ rootDir: directory(), virtualMode: true });
    const made = new CompositeBackend(shell, { "/memories/": memories, "/docs/": docs });
    const files = uses.of("CompositeBackend", made);
    uses.note("CompositeBackend", "isInstance");
    const answers = await everyCall(files, "/memories");
    return {
      ...answers,
      "id is the default's": files.id === shell.id,
      routePrefixes: [...files.routePrefixes].toSorted(),
      isInstance: [CompositeBackend.isInstance(made), CompositeBackend.isInstance(shell)],
      "write to the default": seen(await files.write("/plain.txt", "two")),
      "write to a route": seen(await files.write("/docs/d.txt", "two")),
      "ls shows the routes": seen(await files.ls("/")),
      "grep of all": seen(await files.grep("two", "/")),
      "glob of all": seen(await files.glob("**/*.txt", "/")),
      execute: (await files.execute("cat plain.txt")).output,
      "an upload to two": seen(
        await files.uploadFiles([
          ["/docs/u.txt", new Uint8Array([120])],
          ["/u.txt", new Uint8Array([121])],
        ]),
      ),
      "a download from two": seen(await files.downloadFiles(["/docs/u.txt", "/u.txt"])),
    };
  },

  async LocalShellBackend({ LocalShellBackend }, { uses, directory }) {
    const rootDir = directory();
    const options = {
      rootDir,
      virtualMode: true,
      timeout: 5,
      maxOutputBytes: 1000,
      env: { GREETING: "hello" },
      inheritEnv: true,
      initialFiles: { "seed.txt": "seeded" },
    };
    const made = await LocalShellBackend.create(options);
    const shell = uses.of("LocalShellBackend", made);
    uses.note("LocalShellBackend", "create");
    const answers = await everyCall(shell);
    const plain = new LocalShellBackend({ rootDir: directory(), virtualMode: true });
    const before = [plain.isInitialized, plain.isRunning];
    await uses.of("LocalShellBackend", plain).initialize();
    const quick = new LocalShellBackend({
      rootDir,
      virtualMode: true,
      timeout: 0.2,
      inheritEnv: true,
    });
    await quick.initialize();
    const cut = await quick.execute("sleep 2");
    const lifetime = {
      created: [shell.isInitialized, shell.isRunning],
      constructed: before,
      initialized: [plain.isInitialized, plain.isRunning],
    };
    const observed = {
      ...answers,
      "ls shows initialFiles": seen(await shell.read("/seed.txt")),
      "execute in rootDir": (await shell.execute("cat seed.txt")).output,
      "an exit code": (await shell.execute("exit 3")).exitCode,
      "a variable of env": (await shell.execute("echo $GREETING")).output.trim(),
      "no inheritEnv": (await plain.execute("echo [$HOME]")).output.trim(),
      "output over maxOutputBytes": (await shell.execute("yes | head -c 5000")).truncated,
      "an id": typeof shell.id === "string" && shell.id !== "",
      "a timeout": cut.exitCode,
      lifetime,
    };
    await shell.close();
    await plain.close();
    await quick.close();
    return { ...observed, "after close": [shell.isInitialized, shell.isRunning] };
  },

  async BaseSandbox({ BaseSandbox, isSandboxBackend, isSandboxProtocol }, { uses, directory }) {
    const made = new (foreignSandbox(BaseSandbox))();
    const sandbox = uses.of("BaseSandbox", made);
    return {
      ...unrooted(await everyCall(sandbox, directory())),
      execute: (await sandbox.execute("echo out")).output,
      id: sandbox.id,
      "is a sandbox": [isSandboxBackend(made), isSandboxProtocol(made), isSandboxBackend({})],
    };
  },

  async ContextHubBackend({ ContextHubBackend }, { uses, hub, name }) {
    const made = new ContextHubBackend(name(), { client: clientOf(hub) });
    const files = uses.of("ContextHubBackend", made);
    const linked = name();
    hub.commit(linked, { "skills/x": { type: "skill", repo_handle: "x" } });
    const other = new ContextHubBackend(linked, { client: clientOf(hub) });
    return {
      "before the first commit": await files.hasPriorCommits(),
      ...(await everyCall(files)),
      "after it": await files.hasPriorCommits(),
      getLinkedEntries: await uses.of("ContextHubBackend", other).getLinkedEntries(),
    };
  },

  async adapters(from, { directory }) {
    const rootDir = directory();
    const backend = new from.FilesystemBackend({ rootDir, virtualMode: true });
    const adapted = from.adaptBackendProtocol(firstVersion());
    const runtime = { state: { files: {} } } as unknown as deepagents.BackendRuntime;
    const resolved = await from.resolveBackend(() => backend, runtime);
    const sandbox = from.adaptSandboxProtocol(
      new from.LocalShellBackend({ rootDir, virtualMode: true, inheritEnv: true }),
    );
    return {
      "ls of the first version": seen(await adapted.ls("/")),
      "read of the first version": seen(await adapted.read("/a.txt")),
      "grep of the first version": seen(await adapted.grep("one", "/")),
      "glob of the first version": seen(await adapted.glob("*.txt", "/")),
      "write of the first version": seen(await adapted.write("/b.txt", "x")),
      "edit of the first version": seen(await adapted.edit("/a.txt", "one", "two")),
      "a backend of the second version": seen(
        await from.adaptBackendProtocol(backend).write("/c.txt", "x"),
      ),
      "a factory": seen(await resolved.read("/c.txt")),
      "a backend in place of a factory": seen(
        await (await from.resolveBackend(backend, runtime)).read("/c.txt"),
      ),
      "a sandbox": (await sandbox.execute("cat c.txt")).output,
    };
  },
};
