import type { EditResult } from "@fs/protocol";
import type { MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

const lossy = new TextDecoder("utf-8", { ignoreBOM: true });
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Replaces the text of a file by what a wrong edit makes of it. */
async function rewrite(
  inner: MemoryBackend,
  path: string,
  change: (text: string) => { text: string; occurrences: number } | undefined,
): Promise<EditResult | undefined> {
  const [file] = await inner.downloadFiles([path]);
  if (file === undefined || file.content === null) return undefined;
  const changed = change(lossy.decode(file.content));
  if (changed === undefined) return undefined;
  await inner.uploadFiles([[path, bytesOf(changed.text)]]);
  return { path, occurrences: changed.occurrences };
}

function overlapping(text: string, old: string): number {
  let count = 0;
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + 1)) count++;
  return count;
}

export const EDIT_MUTANTS: readonly Mutant[] = [
  mutant("edit/dollar-patterns", "E2", "`$&` in the replacement is expanded.", (inner) => ({
    edit: async (path, old, next, all = false, options) => {
      const checked = await inner.edit(path, old, old, all, options);
      if (checked.error !== undefined || old === "")
        return inner.edit(path, old, next, all, options);
      const change = (text: string): string =>
        all ? text.replaceAll(old, next) : text.replace(old, next);
      const { occurrences } = checked;
      return (
        (await rewrite(inner, path, (text) => ({ text: change(text), occurrences }))) ?? checked
      );
    },
  })),
  mutant(
    "edit/ends-of-the-first-line",
    "E4",
    "What replaces a text across kinds of line end takes the end of the file's first line.",
    (inner) => ({
      edit: async (path, old, next, all = false, options) => {
        const checked = await inner.edit(path, old, old, all, options);
        const { occurrences } = checked;
        const folded = old.replaceAll("\r\n", "\n");
        const wrong =
          occurrences === undefined || folded === ""
            ? undefined
            : await rewrite(inner, path, (text) => {
                if (text.includes(old) || !text.includes(folded)) return undefined;
                const end = /\r?\n/.exec(text)?.[0] ?? "\n";
                const ended = next.replaceAll(/\r?\n/g, () => end);
                return { text: text.replaceAll(folded, () => ended), occurrences };
              });
        return wrong ?? inner.edit(path, old, next, all, options);
      },
    }),
  ),
  mutant(
    "edit/regular-expression",
    "E2",
    "The text to replace is taken for a regular expression.",
    (inner) => ({
      edit: async (path, old, next, all = false, options) => {
        const result = await inner.edit(path, old, next, all, options);
        if (result.code !== "no_match" || !/[.*+]/.test(old)) return result;
        const wrong = await rewrite(inner, path, (text) => {
          const changed = text.replace(
            new RegExp(old.replace(/[()[\]{}|^$\\?]/g, "\\$&")),
            () => next,
          );
          return changed === text ? undefined : { text: changed, occurrences: 1 };
        });
        return wrong ?? result;
      },
    }),
  ),
  mutant(
    "edit/first-of-many",
    "E1",
    "An ambiguous text is replaced where it occurs first.",
    (inner) => ({
      edit: async (path, old, next, all = false, options) => {
        const result = await inner.edit(path, old, next, all, options);
        if (result.code !== "not_unique") return result;
        return (
          (await rewrite(inner, path, (text) => ({
            text: text.replace(old, () => next),
            occurrences: 1,
          }))) ?? result
        );
      },
    }),
  ),
  mutant("edit/ignores-replace-all", "E1", "`replaceAll` replaces one occurrence.", (inner) => ({
    edit: async (path, old, next, all = false, options) => {
      if (!all || old === "") return inner.edit(path, old, next, all, options);
      const once = await rewrite(inner, path, (text) =>
        text.includes(old) ? { text: text.replace(old, () => next), occurrences: 1 } : undefined,
      );
      return once ?? inner.edit(path, old, next, all, options);
    },
  })),
  mutant("edit/counts-overlaps", "E1", "Overlapping occurrences are counted.", (inner) => ({
    edit: async (path, old, next, all = false, options) => {
      const [file] = await inner.downloadFiles([path]);
      const text = file?.content === null || file === undefined ? "" : lossy.decode(file.content);
      const result = await inner.edit(path, old, next, all, options);
      return result.error === undefined && old !== ""
        ? { ...result, occurrences: overlapping(text, old) }
        : result;
    },
  })),
  mutant("edit/rescans", "E2", "The replacement is searched again.", (inner) => ({
    edit: async (path, old, next, all = false, options) => {
      const result = await inner.edit(path, old, next, all, options);
      if (result.error !== undefined || !all || old === "" || !next.includes(old) || next === old)
        return result;
      return (
        (await rewrite(inner, path, (text) => ({
          text: text.split(old).join(next),
          occurrences: result.occurrences ?? 1,
        }))) ?? result
      );
    },
  })),
  mutant(
    "edit/empty-prepends",
    "E3",
    "An empty text to replace inserts at the start.",
    (inner) => ({
      edit: async (path, old, next, all, options) => {
        if (old !== "") return inner.edit(path, old, next, all, options);
        return (
          (await rewrite(inner, path, (text) => ({ text: next + text, occurrences: 1 }))) ??
          inner.edit(path, old, next, all, options)
        );
      },
    }),
  ),
  mutant(
    "edit/empty-file-refused",
    "E3",
    "An empty file cannot be filled by an edit.",
    (inner) => ({
      edit: async (path, old, next, all, options) =>
        old === ""
          ? { error: "The text to replace is empty.", code: "invalid_argument" }
          : inner.edit(path, old, next, all, options),
    }),
  ),
  mutant(
    "edit/crlf-not-found",
    "E4",
    "Text as read with LF is not found in a CRLF file.",
    (inner) => ({
      edit: async (path, old, next, all, options) => {
        const [file] = await inner.downloadFiles([path]);
        const text = file?.content === null || file === undefined ? "" : lossy.decode(file.content);
        const absent =
          old !== "" &&
          text !== "" &&
          !text.includes(old) &&
          text.replaceAll("\r\n", "\n").includes(old);
        return absent
          ? { error: `Not found in '${path}'.`, code: "no_match" }
          : inner.edit(path, old, next, all, options);
      },
    }),
  ),
  mutant("edit/crlf-to-lf", "E4", "An edit turns the file's CRLF into LF.", (inner) => ({
    edit: async (path, old, next, all, options) => {
      const result = await inner.edit(path, old, next, all, options);
      if (result.error !== undefined) return result;
      await rewrite(inner, path, (text) => ({
        text: text.replaceAll("\r\n", "\n"),
        occurrences: 1,
      }));
      return result;
    },
  })),
  mutant(
    "edit/corrupts-binary",
    "E6",
    "Bytes that are no text are decoded, edited and stored.",
    (inner) => ({
      edit: async (path, old, next, all, options) => {
        const result = await inner.edit(path, old, next, all, options);
        if (result.code !== "not_text") return result;
        return (
          (await rewrite(inner, path, (text) => ({
            text: text.replace(old, () => next),
            occurrences: 1,
          }))) ?? result
        );
      },
    }),
  ),
  mutant("edit/creates-missing", "E6", "Editing a missing file creates it.", (inner) => ({
    edit: async (path, old, next, all, options) => {
      const result = await inner.edit(path, old, next, all, options);
      if (result.code !== "not_found") return result;
      await inner.write(path, next);
      return { path, occurrences: 1 };
    },
  })),
  mutant(
    "edit/same-text-skipped",
    "E9",
    "Equal texts succeed without a look at the file.",
    (inner) => ({
      edit: async (path, old, next, all, options) =>
        old === next && old !== ""
          ? { path, occurrences: 1 }
          : inner.edit(path, old, next, all, options),
    }),
  ),
  mutant(
    "edit/no-count",
    "E5",
    "An ambiguous text is refused without saying how often it occurs.",
    (inner) => ({
      edit: async (...args) => {
        const result = await inner.edit(...args);
        return result.code === "not_unique"
          ? { ...result, error: `The text is not unique in '${args[0]}'.` }
          : result;
      },
    }),
  ),
  mutant("edit/without-nul", "E2", "A NUL in the new text is left out.", (inner) => ({
    edit: (path, old, next, all = false, options) =>
      inner.edit(
        path,
        old,
        typeof next === "string" ? next.replaceAll("\0", "") : next,
        all,
        options,
      ),
  })),
  mutant("multiEdit/not-atomic", "E8", "The edits before the one that fails stay.", (inner) => ({
    multiEdit: async (path, edits, options) => {
      let occurrences = 0;
      for (const edit of edits) {
        const result = await inner.edit(path, edit.old, edit.new, edit.replaceAll, options);
        if (result.error !== undefined) return result;
        occurrences += result.occurrences ?? 0;
      }
      return edits.length === 0 ? inner.multiEdit(path, edits, options) : { path, occurrences };
    },
  })),
];
