import { MemoryVolume } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";
import { faultyVolume, mutant, type Mutant } from "./mutant.js";

/** What is told, or left to the caller, beside the change itself. */
export const SENTENCE_MUTANTS: readonly Mutant[] = [
  mutant("sentence/counts-to-ten", "E5", "not_unique stops counting at ten.", (inner) => ({
    edit: async (...args) => {
      const answer = await inner.edit(...args);
      if (answer.code !== "not_unique") return answer;
      const { data } = await inner.readRaw(args[0]);
      const count = String(data?.content).split(args[1]).length - 1;
      const error = `The text occurs ${Math.min(count, 10)} times in '${args[0]}'.`;
      return { error, code: "not_unique" };
    },
  })),
  mutant(
    "sentence/hint-of-the-first-page",
    "E5",
    "The closest lines are looked for in the first 500.",
    (inner) => ({
      edit: async (path, ...rest) => {
        const answer = await inner.edit(path, ...rest);
        if (answer.code !== "no_match") return answer;
        const page = String((await inner.read(path)).content);
        const [, closest = "none"] = /^\s*\d*\W*(.{12,})$/m.exec(answer.error ?? "") ?? [];
        return page.includes(closest.trim())
          ? answer
          : { error: `Nothing in '${path}' is like it.`, code: "no_match" };
      },
    }),
  ),
  mutant("sentence/mts-is-video", "R8", "Source in .mts is of type video/mp2t.", (inner) => ({
    read: async (path, ...rest) => {
      const answer = await inner.read(path, ...rest);
      const isSource = typeof answer.content === "string" && path.endsWith(".mts");
      return isSource ? { ...answer, mimeType: "video/mp2t" } : answer;
    },
  })),
  mutant(
    "sentence/size-of-the-buffer",
    "F3",
    "uploadFiles reports the size of the memory behind a part.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        const sizes = Array.isArray(files)
          ? files.map((file) => file?.[1]?.buffer?.byteLength)
          : [];
        const answers = await inner.uploadFiles(files, options);
        return answers.map((answer, n) =>
          answer.error === null ? { ...answer, size: sizes[n] ?? answer.size } : answer,
        );
      },
    }),
  ),
  faultyVolume(
    "sentence/created-when-filled",
    "W7",
    "An empty file is taken for none when its creation is looked up.",
    () => {
      const volume = new MemoryVolume();
      const { put } = volume;
      volume.put = async (path, bytes, condition) => {
        const old = await volume.get(path);
        if (old?.bytes.length === 0 && condition.ifVersion === old.version) {
          await volume.remove(path, {});
          return put.call(volume, path, bytes, {});
        }
        return put.call(volume, path, bytes, condition);
      };
      return volume;
    },
  ),
  faultyVolume(
    "sentence/marked-as-removed",
    "W8",
    "With ifAbsent the mark of a removed file is taken for one that is there.",
    () => {
      const volume = new MemoryVolume();
      const marks = new Set<string>();
      const { put, remove } = volume;
      volume.remove = async (path, condition) => {
        const removed = await remove.call(volume, path, condition);
        if (removed) marks.add(path);
        return removed;
      };
      volume.put = async (path, bytes, condition) => {
        // A plain write takes the mark away; only an upload, or a write, on the condition meets it.
        if (condition.ifAbsent === true && marks.has(path)) throw new VolumeError("already_exists");
        marks.delete(path);
        return put.call(volume, path, bytes, condition);
      };
      return volume;
    },
  ),
];
