import type { Filesystem } from "@fs/protocol";
import { basenameOf, joinPath } from "@fs/protocol/author";
import {
  SkillsExtension,
  type SkillCatalog,
  type SkillFiles,
} from "@modelcontextprotocol/server/ext/skills";

/** The skills below a directory of any backend, served by the SDK's extension. */
export async function loadSkills(
  backend: Filesystem,
  root: string,
  onError: (error: unknown) => void,
): Promise<SkillCatalog> {
  return SkillsExtension.load(skillFiles(backend, root), {
    onWarning: ({ path, message }) => {
      onError(new Error(`Skill ${path}: ${message}`));
    },
  });
}

/** A directory of a backend as the extension wants it: paths are relative, and a failure is thrown. */
export function skillFiles(backend: Filesystem, root: string): SkillFiles {
  const at = (path: string): string => (path === "" ? root : joinPath(root, path));
  return {
    async list(directory) {
      const { files, error } = await backend.ls(at(directory));
      if (files === undefined) throw new Error(error ?? "The skills cannot be listed.");
      return files.map(({ path, is_dir }) => ({
        name: basenameOf(path.replace(/\/$/, "")),
        kind: is_dir === true ? "directory" : "file",
      }));
    },
    async read(path) {
      const { data, error } = await backend.readRaw(at(path));
      if (data === undefined) throw new Error(error ?? "The skill cannot be read.");
      const content = Array.isArray(data.content) ? data.content.join("\n") : data.content;
      return typeof content === "string" ? new TextEncoder().encode(content) : content;
    },
  };
}
