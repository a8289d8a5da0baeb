import { ownArguments } from "@fs/protocol/author";
import { AsyncResource } from "node:async_hooks";
import {
  StateGraph,
  StateSchema,
  START,
  type BaseCheckpointSaver,
  type BaseStore,
  type StateSchemaField,
} from "@langchain/langgraph";
import { filesValue, type FilesInput, type FilesRecord } from "@fs/state";

export interface SessionOptions {
  readonly checkpointer: BaseCheckpointSaver;
  readonly thread: string;
  /** The `files` field of the graph. Default `filesValue()`. */
  readonly field?: StateSchemaField<FilesRecord, FilesInput>;
  /** The store that the graph is compiled with. Default: none. */
  readonly store?: BaseStore;
}

interface Running {
  readonly tasks: readonly AsyncResource[];
  readonly end: () => Promise<void>;
}

/**
 * A run of a compiled graph that stands still in a superstep of two parallel tasks, so that calls can be made from either
 * until it is told to end.
 */
export class GraphSession {
  readonly options: SessionOptions;
  #running: Promise<Running> | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** The backend with every call made from within a task. */
  within<B extends object>(backend: B, task: 0 | 1 = 0): B {
    return new Proxy(backend, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        // What a backend can do is asked for at once, and of no task.
        if (typeof member !== "function" || name === "featuresAt") return member;
        if (name === "withoutHooks")
          return () => this.within(Reflect.apply(member, target, []) as object, task);
        return async (...given: unknown[]): Promise<unknown> => {
          // The backend is called once the graph is running: until then the caller may change what it gave.
          const parameters = ownArguments(given);
          const { tasks } = await this.#start();
          return tasks[task]?.runInAsyncScope(() => member.apply(target, parameters) as unknown);
        };
      },
    });
  }

  /** Ends the superstep and the run. The next call starts another turn of the thread. */
  async end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await (await running)?.end();
  }

  async #start(): Promise<Running> {
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<Running> {
    const tasks: AsyncResource[] = [];
    let begun: () => void = () => undefined;
    let release: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (begun = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const stand = (index: number) => async (): Promise<object> => {
      tasks[index] = new AsyncResource("task");
      if (tasks[0] !== undefined && tasks[1] !== undefined) begun();
      await released;
      return {};
    };
    const schema = new StateSchema({ files: this.options.field ?? filesValue() });
    const graph = new StateGraph(schema)
      .addNode("a", stand(0))
      .addNode("b", stand(1))
      .addEdge(START, "a")
      .addEdge(START, "b")
      .compile({
        checkpointer: this.options.checkpointer,
        ...(this.options.store === undefined ? {} : { store: this.options.store }),
      });
    const run = graph.invoke({}, { configurable: { thread_id: this.options.thread } });
    await Promise.race([ready, run]);
    return {
      tasks,
      end: async () => {
        release();
        await run;
      },
    };
  }
}
