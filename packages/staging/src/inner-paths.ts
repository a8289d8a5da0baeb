import { isUncertain, VolumeError } from "@fs/protocol/author";

/** What the upper layer keeps lies below these: no path of a caller is ever in one of its sentences. */
const INNER = /\/(?:entries|trees|blobs|commits)\b/;

/**
 * The same calls of the upper layer, whose errors name no path in it: the backend above names the path that its caller wrote.
 */
export function withoutInnerPaths<T extends object>(calls: T): T {
  return new Proxy(calls, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args);
        return answer instanceof Promise ? answer.catch(rethrow) : answer;
      };
    },
  });
}

function rethrow(error: unknown): never {
  throw VolumeError.isInstance(error) ? withoutInnerPath(error) : error;
}

/** An error of the upper layer without the path in it. */
function withoutInnerPath(error: VolumeError): VolumeError {
  const { code, detail, cause } = error;
  const kept = detail === undefined || INNER.test(detail) ? undefined : detail;
  return new VolumeError(code, kept, cause === undefined ? {} : { cause });
}

/** The error of an entry that was to be stored or taken away: where it is not known whether it was, that is said. */
export function ofStoring<E>(error: E): E | VolumeError {
  if (!VolumeError.isInstance(error)) return error;
  const { code, cause } = error;
  if (!isUncertain(error)) return withoutInnerPath(error);
  return new VolumeError(code, MAY_HAVE_HAPPENED, cause === undefined ? {} : { cause });
}

/**
 * The error of a look that failed once a change was stored. Whatever it says of itself, the change is no refused one (A7).
 */
export function afterStoring(error: unknown): VolumeError {
  const code = VolumeError.isInstance(error) && isUncertain(error) ? error.code : "unavailable";
  return new VolumeError(code, MAY_HAVE_HAPPENED, { cause: error });
}

const MAY_HAVE_HAPPENED =
  "The storage of the staged changes did not answer. The change may have happened.";
