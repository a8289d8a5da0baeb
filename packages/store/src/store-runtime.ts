import { warnOnce } from "@fs/protocol/author";
import { getConfig, type BaseStore } from "@langchain/langgraph";

/** What a namespace factory is given: the LangGraph runtime of the call, and older forms of it. */
export interface StoreRuntime {
  /** The run's context, as passed to `invoke`. */
  readonly context: unknown;
  /** The running graph's store. */
  readonly store: BaseStore | undefined;
  /** Where the call runs. */
  readonly executionInfo: ExecutionInfo;
  /** Who calls, where the graph runs on a server. */
  readonly serverInfo: ServerInfo;
  /** The config of the call. */
  readonly config: RunConfig | undefined;
  /** The assistant, from the config's metadata or configurable values. */
  readonly assistantId: string | undefined;
  /** @deprecated The runtime itself has what it has. */
  readonly runtime: StoreRuntime;
  /** @deprecated Namespaces that depend on the state leave files behind when it changes. Use `context`. */
  readonly state: unknown;
}

/** The name that deepagents gives to {@link StoreRuntime}. */
export type StoreBackendContext = StoreRuntime;

// A part that a run does not have is missing, although the types promise it: factories are written as documentation spells
// them, and a namespace that lacks a part is refused.

export interface ExecutionInfo {
  readonly threadId: string;
  readonly runId: string;
}

export interface ServerInfo {
  readonly assistantId: string;
  readonly graphId: string;
  /** The authenticated user. */
  readonly user: { readonly identity: string };
}

export interface RunConfig {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly context?: unknown;
  readonly store?: BaseStore | undefined;
  readonly executionInfo?: Partial<ExecutionInfo> | undefined;
  readonly serverInfo?: { readonly [K in keyof ServerInfo]?: unknown } | undefined;
}

/** What the deprecated constructor is given. */
export interface StateAndStore {
  readonly state: unknown;
  readonly store?: BaseStore | undefined;
  readonly assistantId?: string | undefined;
  readonly config?: RunConfig | undefined;
}

/** The runtime of the call, from the running graph or from what the deprecated constructor was given. */
export function storeRuntime(given: StateAndStore | undefined): StoreRuntime {
  const config = given?.config ?? getConfig();
  const configurable = config?.configurable ?? {};
  const metadata = config?.metadata ?? {};
  const assistantId =
    stringOf(metadata["assistant_id"]) ??
    stringOf(configurable["assistant_id"]) ??
    given?.assistantId;
  return {
    context: config?.context,
    store: given?.store ?? config?.store,
    executionInfo: present<ExecutionInfo>({
      threadId: stringOf(configurable["thread_id"]),
      runId: stringOf(configurable["run_id"]) ?? stringOf(metadata["run_id"]),
      ...config?.executionInfo,
    }),
    serverInfo: present<ServerInfo>({
      assistantId,
      graphId: stringOf(metadata["graph_id"]) ?? stringOf(configurable["graph_id"]),
      user: userOf(configurable["langgraph_auth_user"]),
      ...config?.serverInfo,
    }),
    config,
    assistantId,
    get runtime() {
      warnOnce(
        "FS_DEP_STORE_CONTEXT",
        "`runtime` and `state` of a namespace factory's argument are deprecated: the argument is the runtime.",
      );
      return this;
    },
    get state() {
      warnOnce(
        "FS_DEP_STORE_CONTEXT",
        "`runtime` and `state` of a namespace factory's argument are deprecated: the argument is the runtime.",
      );
      return given === undefined ? taskInput(configurable) : given.state;
    },
  };
}

/** What a run has, under types that promise all of it. */
function present<T extends object>(parts: { [K in keyof T]?: unknown }): T {
  return parts as T;
}

function taskInput(configurable: Readonly<Record<string, unknown>>): unknown {
  const scratchpad = configurable["__pregel_scratchpad"];
  const known = typeof scratchpad === "object" && scratchpad !== null;
  return known && "currentTaskInput" in scratchpad ? scratchpad.currentTaskInput : undefined;
}

function userOf(value: unknown): ServerInfo["user"] | undefined {
  return typeof value === "object" && value !== null ? (value as ServerInfo["user"]) : undefined;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
