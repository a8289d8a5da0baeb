import { isWithin } from "@fs/protocol/author";

/** What belongs to the shell and never reaches a backend: where it looks for its programs, and its devices. */
const SHELL_DIRECTORIES = ["/bin", "/dev", "/proc", "/usr/bin"];

/** Whether a path belongs to the shell. Nothing is there but {@link NULL_DEVICE}. */
export function isShellPath(path: string): boolean {
  return SHELL_DIRECTORIES.some((directory) => isWithin(path, directory));
}

/** Is empty, and forgets what is written to it. */
export const NULL_DEVICE = "/dev/null";
