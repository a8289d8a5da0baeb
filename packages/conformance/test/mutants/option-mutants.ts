import { METHODS } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

type Options = Readonly<Record<string, unknown>>;
type Call = (...args: unknown[]) => Promise<unknown>;
type Optioned = "write" | "edit" | "multiEdit" | "delete" | "move" | "ls" | "glob" | "grep";

/** A backend that makes other options of those it was given. */
function reoptioned(
  name: string,
  bug: string,
  methods: readonly Optioned[],
  change: (options: Options, method: Optioned) => Options,
): Mutant[] {
  return methods.map((method) =>
    mutant(`options/${method}-${name}`, "A9", `${method} ${bug}`, (inner) => {
      const at = METHODS[method].optionsAt;
      const call = inner[method].bind(inner) as Call;
      return {
        [method]: (...args: unknown[]) => {
          const options = args[at];
          const isPlain = typeof options === "object" && options !== null;
          return call(...(isPlain ? args.with(at, change(options as Options, method)) : args));
        },
      };
    }),
  );
}

function mapped(options: Options, change: (value: unknown, name: string) => unknown): Options {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, change(value, name)]),
  );
}

/** Options that are ignored, converted, or taken for more than they are. */
export const OPTION_MUTANTS: readonly Mutant[] = [
  ...reoptioned(
    "unknown-ignored",
    "ignores an option that it does not have.",
    ["write", "edit", "multiEdit", "delete", "move", "ls", "glob", "grep"],
    (options, method) =>
      Object.fromEntries(
        Object.entries(options).filter(([name]) => name in METHODS[method].options),
      ),
  ),
  ...reoptioned(
    "truthy",
    "takes any value of a flag for true or false.",
    ["move", "grep", "write"],
    (options) =>
      mapped(options, (value, name) =>
        ["overwrite", "ignoreCase", "regex", "ifAbsent"].includes(name) && value !== undefined
          ? Boolean(value)
          : value,
      ),
  ),
  ...reoptioned(
    "undefined-is-a-value",
    "takes a version that is undefined for one.",
    ["write", "edit", "multiEdit", "delete"],
    (options) =>
      mapped(options, (value, name) => (name === "ifVersion" && value === undefined ? "" : value)),
  ),
  ...reoptioned(
    "numbers-as-versions",
    "makes a text of a version that is a number.",
    ["write", "edit", "multiEdit", "delete"],
    (options) =>
      mapped(options, (value, name) =>
        name === "ifVersion" && typeof value === "number" ? String(value) : value,
      ),
  ),
  ...reoptioned(
    "counts-clamped",
    "takes a negative count for none.",
    ["ls", "glob", "grep"],
    (options) =>
      mapped(options, (value) => (typeof value === "number" && value < 0 ? undefined : value)),
  ),
  ...reoptioned(
    "counts-converted",
    "makes a number of a count that is a text.",
    ["ls", "glob", "grep"],
    (options) =>
      mapped(options, (value, name) =>
        name !== "after" && typeof value === "string" ? Number(value) : value,
      ),
  ),
];
