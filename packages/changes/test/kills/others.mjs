// What others do to a backend in trials and mutants. Plain JavaScript: killed processes run it as it is.
import { interceptBackend } from "@fs/protocol";

/** What a file holds once {@link changeAsSomebodyElse} has changed it. */
export function foreignText(path) {
  return `foreign ${path}\n`;
}

/** A file that is there is changed, one that is not is created; each by one call that cannot be lost. */
export async function changeAsSomebodyElse(base, path) {
  const [answer] = await base.uploadFiles([[path, new TextEncoder().encode(foreignText(path))]]);
  if (answer.error !== null) throw new Error(`${path}: ${answer.code}`);
}

/** A backend that ignores every condition of uploads and removals, as an engine without conditions would use it. */
export function unconditional(base) {
  return Object.assign(
    interceptBackend(base, async (_, proceed) => proceed()),
    {
      uploadFiles: (files) => base.uploadFiles(files.map(([path, content]) => [path, content])),
      delete: (path) => base.delete(path),
    },
  );
}
