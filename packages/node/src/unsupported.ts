import type { BackendCalls } from "./backend-calls.js";
import type { PathLike } from "./paths.js";

/** The methods of Node that no backend can do: each rejects with EPERM and names itself. */
export function unsupportedMethods(calls: BackendCalls) {
  const missing =
    (syscall: string) =>
    async (path: PathLike, ..._others: unknown[]): Promise<never> =>
      calls.fail(calls.target(path, syscall), "unsupported", "EPERM");

  /** No path is a link: EINVAL, as for any file of Node that is none. */
  async function readlink(path: PathLike): Promise<never> {
    const target = calls.target(path, "readlink");
    await calls.need(target);
    return calls.fail(target, "invalid_argument");
  }

  return {
    readlink,
    chmod: missing("chmod"),
    chown: missing("chown"),
    link: missing("link"),
    symlink: missing("symlink"),
    utimes: missing("utime"),
    truncate: missing("truncate"),
    open: missing("open"),
  };
}
