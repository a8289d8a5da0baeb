import { isCanonicalFilePath } from "@fs/protocol/author";

/** Options of the volume backend that this package passes on; their values are checked there. */
const PASSED_ON = ["writeMode", "maxFileBytes", "concurrency", "onError", "resolvePath"];

/** Refuses options of `StateBackend` that are misspelt or of a wrong type. Throws a TypeError. */
export function checkBackendOptions(options: unknown): void {
  const { fileFormat, namespace, content } = known("StateBackend", options, [
    ...PASSED_ON,
    "fileFormat",
    "namespace",
    "content",
  ]);
  if (fileFormat !== undefined && fileFormat !== "v1" && fileFormat !== "v2")
    throw new TypeError('StateBackend: fileFormat must be "v1" or "v2".');
  if (namespace !== undefined && !isName(namespace))
    throw new TypeError(
      'StateBackend: namespace must be a name without slashes, such as "scratch".',
    );
  if (content !== undefined) checkContentOptions(content);
}

/** Refuses options of `filesValue` that are misspelt or of a wrong type. Throws a TypeError. */
export function checkFieldOptions(options: unknown): void {
  const { snapshotFrequency } = known("filesValue", options, ["snapshotFrequency"]);
  if (snapshotFrequency !== undefined && !isCount(snapshotFrequency, 1))
    throw new TypeError("filesValue: snapshotFrequency must be a positive integer.");
}

function checkContentOptions(content: unknown): void {
  const { backend, directory, from } = known("StateBackend: content", content, [
    "backend",
    "directory",
    "from",
  ]);
  if (typeof backend !== "object" || backend === null)
    throw new TypeError("StateBackend: content.backend must be a backend.");
  if (directory !== undefined && !isDirectory(directory))
    throw new TypeError("StateBackend: content.directory must be an absolute path.");
  if (from !== undefined && !isCount(from, 0))
    throw new TypeError("StateBackend: content.from must be a number of bytes.");
}

function known(what: string, options: unknown, names: readonly string[]): Record<string, unknown> {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`${what}: the options must be an object.`);
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw new TypeError(`${what}: there is no option '${name}'. There are: ${names.join(", ")}.`);
  return options as Record<string, unknown>;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && !value.includes("/") && isCanonicalFilePath(`/${value}`);
}

function isDirectory(value: unknown): boolean {
  return typeof value === "string" && (value === "/" || isCanonicalFilePath(value));
}

function isCount(value: unknown, least: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least;
}
