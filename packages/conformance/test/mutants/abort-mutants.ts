import { MemoryBackend } from "@fs/protocol";
import { overlay, type Mutant } from "./mutant.js";

const METHODS = [
  "ls",
  "read",
  "readRaw",
  "write",
  "edit",
  "multiEdit",
  "delete",
  "move",
  "copy",
  "glob",
  "grep",
  "uploadFiles",
  "downloadFiles",
] as const;

const CHANGES = ["write", "edit", "multiEdit", "delete", "move", "copy", "uploadFiles"] as const;

type Method = (typeof METHODS)[number];

function withoutSignal(args: readonly unknown[]): unknown[] {
  return args.map((argument) => {
    if (typeof argument !== "object" || argument === null || !("signal" in argument))
      return argument;
    const { signal: _, ...rest } = argument;
    return rest;
  });
}

function hasFired(args: readonly unknown[]): boolean {
  return args.some(
    (argument) =>
      typeof argument === "object" &&
      argument !== null &&
      "signal" in argument &&
      argument.signal instanceof AbortSignal &&
      argument.signal.aborted,
  );
}

function overriding(
  name: string,
  bug: string,
  method: Method,
  wrong: (call: (args: unknown[]) => Promise<unknown>, args: unknown[]) => unknown,
): Mutant {
  return {
    name,
    rule: "A8",
    bug,
    create: () => {
      const inner = new MemoryBackend();
      const call = async (args: unknown[]): Promise<unknown> =>
        Reflect.apply(inner[method] as (...all: unknown[]) => unknown, inner, args);
      return overlay(inner, { [method]: async (...args: unknown[]) => wrong(call, args) });
    },
  };
}

/** Signals that methods ignore, or honour too late. */
export const ABORT_MUTANTS: readonly Mutant[] = [
  ...METHODS.map((method) =>
    overriding(
      `abort/${method}-ignored`,
      `${method} does not look at its signal.`,
      method,
      (call, args) => call(withoutSignal(args)),
    ),
  ),
  ...CHANGES.map((method) =>
    overriding(
      `abort/${method}-done-and-refused`,
      `${method} makes its change although its signal has fired, and answers aborted.`,
      method,
      async (call, args) => {
        if (hasFired(args)) await call(withoutSignal(args));
        return call(args);
      },
    ),
  ),
  ...(["read", "edit", "uploadFiles", "glob"] as const).map((method) =>
    overriding(
      `abort/${method}-rejects`,
      `${method} rejects when its signal fires in flight.`,
      method,
      async (call, args) => {
        const answer = await call(withoutSignal(args));
        if (hasFired(args)) throw new DOMException("aborted", "AbortError");
        return answer;
      },
    ),
  ),
];
