import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";

/** A change of a file that is made at a version alone. */
export type VersionedChange = readonly [
  name: string,
  change: (path: string, ifVersion: string) => Promise<Answered>,
];

/** Every change at a version that the backend has. Edits put one text for another. */
export function versionedChanges(
  { backend, profile }: CaseContext,
  old: string,
  next: string,
): VersionedChange[] {
  const changes: VersionedChange[] = [
    ["edit", (path, ifVersion) => backend.edit(path, old, next, false, { ifVersion })],
    ["write", (path, ifVersion) => backend.write(path, "written\n", { ifVersion })],
  ];
  if (profile.multiEdit)
    changes.push([
      "multiEdit",
      (path, ifVersion) => backend.multiEdit(path, [{ old, new: next }], { ifVersion }),
    ]);
  if (profile.delete)
    changes.push(["delete", (path, ifVersion) => backend.delete(path, { ifVersion })]);
  return changes;
}
