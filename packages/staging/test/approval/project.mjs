// A project on disk with a journal, and staged changes that outlive a process.
import { FilesystemBackend } from "@fs/disk";
import { fileJournal, withJournal } from "@fs/journal";
import { StagingBackend } from "@fs/staging";

export function openProject(root) {
  const disk = (layer) => new FilesystemBackend({ rootDir: `${root}/${layer}` });
  const files = withJournal(disk("project"), { store: fileJournal(disk("journal")) });
  return { files, staged: new StagingBackend(files, { upper: disk("staged") }) };
}

export function statuses({ paths = [] }) {
  return paths.map(({ path, status }) => `${path} ${status}`).join(", ");
}
