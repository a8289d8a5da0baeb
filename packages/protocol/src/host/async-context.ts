import { builtinModule } from "./builtin-modules.js";

/** A value that belongs to a call and to all that it starts. */
export interface AsyncContext<T> {
  run<R>(value: T, task: () => R): R;
  getStore(): T | undefined;
}

interface AsyncContextConstructor {
  new <T>(): AsyncContext<T>;
}

/**
 * Node's `AsyncLocalStorage`, or that of an edge runtime. A browser has none: there the value holds until the task first waits,
 * and afterwards no value is given rather than another call's.
 */
export function asyncContext<T>(): AsyncContext<T> {
  const offered: object = builtinModule("node:async_hooks") ?? globalThis;
  const { AsyncLocalStorage } = offered as { readonly AsyncLocalStorage?: AsyncContextConstructor };
  return AsyncLocalStorage === undefined ? new SynchronousContext() : new AsyncLocalStorage<T>();
}

/** Exported for tests. */
export class SynchronousContext<T> implements AsyncContext<T> {
  #value: T | undefined;

  run<R>(value: T, task: () => R): R {
    const before = this.#value;
    this.#value = value;
    try {
      return task();
    } finally {
      this.#value = before;
    }
  }

  getStore(): T | undefined {
    return this.#value;
  }
}
