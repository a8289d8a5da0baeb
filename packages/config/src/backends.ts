import { type Filesystem, ConfigurationError, MemoryBackend } from "@fs/protocol";
import { resolve } from "node:path";
import type { RouteConfig, Use } from "./config.js";

/** A backend that may have connections to close and tables to make. */
export interface OpenedBackend {
  readonly backend: Filesystem;
  readonly close: () => Promise<void>;
  readonly setup: (() => Promise<unknown>) | undefined;
}

type Options = Readonly<Record<string, unknown>>;
/** Makes a backend of the options; they are what a person wrote, and the constructor checks them. */
type Make = (options: Options, folder: string) => Promise<Filesystem>;

interface Kind {
  /** What has to be installed. */
  readonly packages: string;
  readonly make: Make;
}

// Options come from a file and are checked by the constructors, which throw a TypeError for what they do not know.
const checkedThere = (options: Options): never => options as never;

const KINDS: Readonly<Record<Use, Kind>> = {
  memory: {
    packages: "@fs/protocol",
    make: async (options) => new MemoryBackend(checkedThere(options)),
  },
  disk: {
    packages: "@fs/disk",
    make: async (options, folder) => {
      const { FilesystemBackend } = await import("@fs/disk");
      return new FilesystemBackend(checkedThere(withFolder(options, folder)));
    },
  },
  shell: {
    packages: "@fs/shell @fs/disk",
    make: async (options, folder) => {
      const { LocalShellBackend } = await import("@fs/shell");
      return new LocalShellBackend(checkedThere(withFolder(options, folder)));
    },
  },
  bubblewrap: {
    packages: "@fs/shell @fs/disk",
    make: async (options, folder) => {
      const { BubblewrapSandbox } = await import("@fs/shell");
      // Its rootDir is a path in the sandbox.
      return new BubblewrapSandbox(checkedThere(withFolder(options, folder, "workspace")));
    },
  },
  postgres: {
    packages: "@fs/postgres pg",
    make: async (options) => {
      const { PostgresBackend } = await import("@fs/postgres");
      return new PostgresBackend(checkedThere(options));
    },
  },
  redis: {
    packages: "@fs/redis ioredis",
    make: async (options) => {
      const { RedisBackend } = await import("@fs/redis");
      return new RedisBackend(checkedThere(options));
    },
  },
  s3: {
    packages: "@fs/s3",
    make: async (options) => {
      const { S3Backend } = await import("@fs/s3");
      return new S3Backend(checkedThere(options));
    },
  },
  hub: {
    packages: "@fs/hub langsmith",
    make: async ({ repository, ...options }) => {
      if (typeof repository !== "string")
        throw new TypeError("'repository' must name a repository, such as 'owner/name'.");
      const { ContextHubBackend } = await import("@fs/hub");
      return new ContextHubBackend(repository, checkedThere(options));
    },
  },
  store: {
    packages: "@fs/store @langchain/core @langchain/langgraph",
    make: async (options) => {
      if (typeof options["store"] !== "object" || options["store"] === null)
        throw new TypeError(
          "'store' must be a LangGraph store; only a module configuration can give one.",
        );
      const { StoreBackend } = await import("@fs/store");
      return new StoreBackend(checkedThere(options));
    },
  },
};

/** Directories of the host are relative to the folder of the configuration, wherever the program was started. */
function withFolder(
  options: Options,
  folder: string,
  name: "rootDir" | "workspace" = "rootDir",
): Options {
  const written = options[name];
  return typeof written === "string" && written !== ""
    ? { ...options, [name]: resolve(folder, written) }
    : options;
}

/** Imports the package of a route's backend and makes the backend. Rejects with a ConfigurationError for a missing package. */
export async function openBackend(route: RouteConfig, folder: string): Promise<OpenedBackend> {
  const { use, readOnly: _readOnly, quota: _quota, setup: _setup, ...options } = route;
  const { make, packages } = KINDS[use];
  try {
    const backend = await make(options, folder);
    return { backend, close: closerOf(backend), setup: setupOf(backend) };
  } catch (error) {
    if (isMissing(error, packages))
      throw new ConfigurationError(
        `'${use}' needs a package that is not installed: npm install ${packages}`,
      );
    throw error;
  }
}

/** Whether an import failed because one of these packages is not there. */
function isMissing(error: unknown, packages: string): boolean {
  if (!(error instanceof Error) || Reflect.get(error, "code") !== "ERR_MODULE_NOT_FOUND")
    return false;
  const name = /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message)?.[1];
  return name !== undefined && packages.split(" ").includes(name);
}

function closerOf(backend: object): () => Promise<void> {
  for (const name of ["close", Symbol.asyncDispose]) {
    const close: unknown = Reflect.get(backend, name);
    if (typeof close === "function")
      return async () => {
        await Reflect.apply(close, backend, []);
      };
  }
  return async () => undefined;
}

function setupOf(backend: object): (() => Promise<unknown>) | undefined {
  const setup: unknown = Reflect.get(backend, "setup");
  return typeof setup === "function"
    ? async () => Reflect.apply(setup, backend, []) as unknown
    : undefined;
}
