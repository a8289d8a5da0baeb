import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";

/** The version that `read` gives of a file. Ends the case where it gives none. */
export async function versionOf(context: CaseContext, path: string): Promise<string> {
  const { version } = await context.backend.read(path);
  if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
  return version;
}
