import { batchFailure } from "../call/batch-failure.js";
import { METHODS, type MethodName } from "../call/methods.js";
import { pageOfListing } from "../call/page-of-listing.js";
import { isErrorCode } from "../errors/codes.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { asSentence, failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import type { BackendProtocolV2 } from "../types/foreign.js";
import type { PageOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import type { Feature, Filesystem } from "../types/protocol.js";

const METHODS_OF_BORDER = Object.keys(METHODS).filter(
  (name): name is MethodName => name in METHODS,
);

const normalised = new WeakMap<object, Filesystem>();

/**
 * A backend of another package as a {@link Filesystem}: whatever it answers becomes an outcome, whatever it throws a
 * failure, and an option that it would ignore, such as `ifVersion`, is answered with `unsupported`. Its `features` are those
 * that are honoured so.
 *
 * Everything else is read through, so that subclasses, overrides and properties of its own stay in force. The same backend
 * gives the same object.
 */
export function normaliseForeign(backend: BackendProtocolV2): Filesystem {
  const known = normalised.get(backend);
  if (known !== undefined) return known;
  const methods = new Map<PropertyKey, unknown>();
  for (const name of METHODS_OF_BORDER) {
    if (name === "execute" || typeof Reflect.get(backend, name) !== "function") continue;
    methods.set(name, (...args: unknown[]) => callForeign(backend, name, args));
  }
  const filesystem = new Proxy(backend, {
    get(target, key) {
      if (methods.has(key)) return methods.get(key);
      // A private field is reached on the backend itself, never on the proxy.
      const value: unknown = Reflect.get(target, key, target);
      if (key === "features") return keptFeatures(value);
      if (typeof value !== "function") return value;
      if (key === "featuresAt") return (path: string) => keptFeatures(value.call(target, path));
      return value.bind(target);
    },
  }) as unknown as Filesystem;
  normalised.set(backend, filesystem);
  return filesystem;
}

/** What is honoured here of the features that a backend names: its conditions are refused, whatever it says of them. */
const KEPT_FEATURES: ReadonlySet<unknown> = new Set<Feature>(["stat", "pages", "watch"]);

function keptFeatures(named: unknown): unknown {
  return Array.isArray(named) ? named.filter((feature) => KEPT_FEATURES.has(feature)) : named;
}

async function callForeign(
  backend: BackendProtocolV2,
  method: MethodName,
  args: readonly unknown[],
): Promise<unknown> {
  const { answer, paths, optionsAt, mutates } = METHODS[method];
  const path = args[paths[0]?.argument ?? 0] ?? "/";
  const ignored = answer === "batch" ? undefined : ignoredOption(method, args[optionsAt]);
  if (ignored !== undefined) return failure("unsupported", path, ignored);
  try {
    if (answer === "batch") return await callBatch(backend, method, args);
    const member = Reflect.get(backend, method) as (...parameters: unknown[]) => unknown;
    const result: unknown = await Reflect.apply(member, backend, args);
    return outcomeOf(method, path, result, args[optionsAt]);
  } catch (error) {
    const failed = failureFromThrown(error, path, { mayHaveChanged: mutates });
    return answer === "batch" ? failedBatch(method, args[0], failed) : failed;
  }
}

/** Options that only say when to stop, or that are honoured here: a foreign backend may ignore them. */
const HARMLESS: ReadonlySet<string> = new Set(["signal", "limit", "after", "timeout"]);

function ignoredOption(method: MethodName, options: unknown): string | undefined {
  if (typeof options !== "object" || options === null) return undefined;
  const known = METHODS[method].options;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === false || value === 0) continue;
    if ((HARMLESS.has(name) && name in known && known[name] !== "count") || name === "limit")
      continue;
    return `This backend does not honour '${name}' of '${method}'.`;
  }
  return undefined;
}

function outcomeOf(method: MethodName, path: unknown, result: unknown, options: unknown): unknown {
  if (typeof result !== "object" || result === null)
    return failure("unavailable", path, "The backend answered with nothing that can be read.");
  const { error, code, ...data } = result as Record<string, unknown>;
  if (error !== undefined && error !== null) return failureOf(path, error, code);
  const wanted = DATA[method];
  if (wanted !== undefined && data[wanted.field] === undefined) {
    if (wanted.missing === undefined)
      return failure("unavailable", path, `The backend answered without '${wanted.field}'.`);
    data[wanted.field] = wanted.missing(path);
  }
  if (!isPaged(method, options) || !Array.isArray(data["files"])) return data;
  return { ...data, ...pageOfListing(data["files"], options) };
}

function isPaged(method: MethodName, options: unknown): options is PageOptions {
  return (
    (method === "ls" || method === "glob") &&
    typeof options === "object" &&
    options !== null &&
    ("limit" in options || "after" in options)
  );
}

/** What a successful answer must hold, and what it is where the backend left it out. */
const DATA: Partial<Record<MethodName, { field: string; missing?: (path: unknown) => unknown }>> = {
  ls: { field: "files" },
  glob: { field: "files" },
  grep: { field: "matches" },
  read: { field: "content" },
  readRaw: { field: "data" },
  stat: { field: "info" },
  write: { field: "path", missing: canonicalOr },
  edit: { field: "path", missing: canonicalOr },
  multiEdit: { field: "path", missing: canonicalOr },
  delete: { field: "path", missing: canonicalOr },
  move: { field: "path", missing: canonicalOr },
  copy: { field: "path", missing: canonicalOr },
};

function canonicalOr(path: unknown): unknown {
  const canonical = canonicalPath(path);
  return canonical.failure === undefined ? canonical.path : path;
}

function failureOf(path: unknown, error: unknown, code: unknown): Failure {
  const sentence = asSentence(typeof error === "string" ? error : undefined);
  if (isErrorCode(code)) return failure(code, path, sentence);
  return failure(codeOfSentence(sentence ?? ""), path, sentence);
}

/** Backends without codes agree on few words. */
function codeOfSentence(sentence: string): Failure["code"] {
  if (/not found|no such|does not exist/i.test(sentence)) return "not_found";
  if (/already exists/i.test(sentence)) return "already_exists";
  if (/is a directory/i.test(sentence)) return "is_directory";
  if (/not a directory/i.test(sentence)) return "not_directory";
  if (/permission|denied|not allowed/i.test(sentence)) return "permission_denied";
  return "unavailable";
}

async function callBatch(
  backend: BackendProtocolV2,
  method: MethodName,
  args: readonly unknown[],
): Promise<unknown> {
  const items: unknown[] = Array.isArray(args[0]) ? Array.from(args[0]) : [];
  // A third element is a condition, which the backend would pass over in silence.
  const conditional = items.map(
    (item) => Array.isArray(item) && item[2] !== undefined && item[2] !== null,
  );
  const plain = items.filter((_, index) => conditional[index] !== true);
  const member = Reflect.get(backend, method) as (...parameters: unknown[]) => unknown;
  const answered: unknown =
    plain.length === 0 ? [] : await Reflect.apply(member, backend, [plain, ...args.slice(1)]);
  const answers: unknown[] = Array.isArray(answered) ? answered : [];
  let next = 0;
  return items.map((item, index) => {
    const path: unknown = Array.isArray(item) ? item[0] : item;
    if (conditional[index] === true) return failedItem(method, path, failure("unsupported", path));
    const answer = answers[next++];
    return typeof answer === "object" && answer !== null
      ? { ...answer, error: "error" in answer ? (answer.error ?? null) : null }
      : failedItem(method, path, failure("unavailable", path));
  });
}

function failedBatch(method: MethodName, items: unknown, failed: Failure): unknown[] {
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) =>
    failedItem(method, Array.isArray(item) ? item[0] : item, failed),
  );
}

function failedItem(method: MethodName, path: unknown, { code }: Failure): object {
  const content = method === "downloadFiles" ? { content: null } : {};
  return { path, ...content, ...batchFailure(code) };
}
