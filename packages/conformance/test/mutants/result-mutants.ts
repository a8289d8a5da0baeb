import { MemoryBackend, MemoryVolume, type FileInfo, type FileUploadResponse } from "@fs/protocol";
import { VolumeBackend, type GrepQuery, type VolumeFile } from "@fs/protocol/author";
import { mutant, overlay, type Mutant } from "./mutant.js";

/** A storage that hands out, and keeps, the buffers it is given. */
function aliasing(): Mutant["create"] {
  return () => {
    const inner = new MemoryBackend();
    const kept = new Map<string, Uint8Array>();
    return overlay(inner, {
      uploadFiles: async (
        files: Array<[string, Uint8Array]>,
        options?: object,
      ): Promise<FileUploadResponse[]> => {
        const stored = await inner.uploadFiles(files, options);
        for (const [index, response] of stored.entries()) {
          const file = files[index];
          if (response.error === null && file !== undefined) kept.set(file[0], file[1]);
        }
        return stored;
      },
      downloadFiles: async (paths: string[], options?: object) =>
        (await inner.downloadFiles(paths, options)).map((file) => ({
          ...file,
          content: file.content === null ? null : (kept.get(file.path) ?? file.content),
        })),
    });
  };
}

export const RESULT_MUTANTS: readonly Mutant[] = [
  {
    name: "upload/keeps-the-buffer",
    rule: "A5",
    bug: "The caller's buffer is stored, not its content.",
    create: aliasing(),
  },
  mutant(
    "upload/ignores-byte-offset",
    "T1",
    "A view is stored with the whole buffer behind it.",
    (inner) => ({
      uploadFiles: (files, options) =>
        inner.uploadFiles(
          files.map(([path, bytes]): [string, Uint8Array] => [
            path,
            bytes instanceof Uint8Array &&
            bytes.byteLength < bytes.buffer.byteLength &&
            bytes.buffer.byteLength < 64
              ? new Uint8Array(bytes.buffer)
              : bytes,
          ]),
          options,
        ),
    }),
  ),
  {
    ...mutant("download/buffer", "T1", "Downloaded bytes are a Buffer of Node.", (inner) => ({
      downloadFiles: async (paths, options) =>
        (await inner.downloadFiles(paths, options)).map((file) =>
          file.content === null ? file : { ...file, content: Buffer.from(file.content) },
        ),
    })),
    by: "encoding/plain-bytes",
  },
  mutant("upload/stops-at-failure", "T1", "The first failure ends the batch.", (inner) => ({
    uploadFiles: async (files, options) => {
      const stored: FileUploadResponse[] = [];
      for (const file of files) {
        const [response] = await inner.uploadFiles([file], options);
        if (response !== undefined) stored.push(response);
        if (response?.error !== null) break;
      }
      return stored;
    },
  })),
  mutant("upload/creates-only", "T1", "An upload does not replace.", (inner) => ({
    uploadFiles: async (files, options) => {
      const standing = await inner.downloadFiles(files.map(([path]) => path));
      const absent = files.filter((_, index) => standing[index]?.error !== null);
      const stored = await inner.uploadFiles(absent, options);
      let next = 0;
      return files.map(([path], index) =>
        standing[index]?.error === null
          ? { path, error: null }
          : (stored[next++] ?? { path, error: null }),
      );
    },
  })),
  mutant("upload/as-text", "T1", "Bytes pass through a string.", (inner) => ({
    uploadFiles: (files, options) =>
      inner.uploadFiles(
        files.map(([path, bytes]): [string, Uint8Array] => [
          path,
          bytes instanceof Uint8Array
            ? new TextEncoder().encode(new TextDecoder().decode(bytes))
            : bytes,
        ]),
        options,
      ),
  })),
  mutant("download/sorted", "T1", "Answers come sorted by path.", (inner) => ({
    downloadFiles: async (paths, options) =>
      (await inner.downloadFiles(paths, options)).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  })),
  mutant("download/one-code", "T2", "Every failure is `file_not_found`.", (inner) => ({
    downloadFiles: async (paths, options) =>
      (await inner.downloadFiles(paths, options)).map((file) =>
        file.error === null ? file : { ...file, error: "file_not_found", code: "not_found" },
      ),
  })),
  mutant("result/error-with-data", "A2", "A failed listing also has an empty list.", (inner) => ({
    ls: async (path, options) => {
      const result = await inner.ls(path, options);
      return result.error === undefined ? result : { ...result, files: [] };
    },
  })),
  mutant("result/no-code", "A1", "Failures have no code.", (inner) => ({
    read: async (...args) => {
      const { code: _, ...result } = await inner.read(...args);
      return result;
    },
  })),
  mutant("result/relative-paths", "A3", "Matches of glob are relative.", (inner) => ({
    glob: async (...args) => {
      const result = await inner.glob(...args);
      return result.files === undefined
        ? result
        : { files: result.files.map((info: FileInfo) => ({ ...info, path: info.path.slice(1) })) };
    },
  })),
  mutant("result/host-path", "A6", "An error names a file of the host.", (inner) => ({
    read: async (...args) => {
      const result = await inner.read(...args);
      return result.code === "not_found"
        ? { ...result, error: `ENOENT: no such file or directory, open '/var/lib/agent${args[0]}'` }
        : result;
    },
  })),
  mutant("result/lists-unreadable", "A4", "glob names a file that is not there.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      if (result.files === undefined || result.files.length === 0) return result;
      return { files: [...result.files, { path: "/zzz-phantom.txt", is_dir: false, size: 0 }] };
    },
  })),
  mutant("result/throws-on-bad-input", "A1", "An argument of the wrong type throws.", (inner) => ({
    read: async (path, ...rest) => {
      if (typeof path !== "string") throw new TypeError("path.split is not a function");
      return inner.read(path, ...rest);
    },
  })),
  {
    name: "hook/differs",
    rule: "S2",
    bug: "The storage's own search trims lines; without it they are whole.",
    create: () => {
      class TrimmingVolume extends MemoryVolume {
        async grep(query: GrepQuery) {
          const files = new Map<string, VolumeFile>();
          for await (const { path, kind } of this.list(query.root, { deep: true })) {
            const file = kind === "file" && query.accepts(path) ? await this.get(path) : undefined;
            if (file !== undefined && !file.bytes.includes(0)) files.set(path, file);
          }
          const own = await this.get(query.root);
          if (own !== undefined && query.accepts(query.root) && !own.bytes.includes(0))
            files.set(query.root, own);
          const hits = [...files].flatMap(([path, { bytes }]) =>
            new TextDecoder()
              .decode(bytes)
              .split("\n")
              .flatMap((text, index) =>
                query.pattern.matches(text.replace(/\r$/, ""))
                  ? [{ path, line: index + 1, text: text.trim() }]
                  : [],
              ),
          );
          const batches = async function* () {
            yield hits;
          };
          return { sorted: false, batches: batches() };
        }
      }
      return new VolumeBackend(new TrimmingVolume());
    },
  },
  mutant(
    "stat/error-with-info",
    "A2",
    "A failure has what it did not find beside it.",
    (inner) => ({
      stat: async (...args) => {
        const result = await inner.stat(...args);
        return result.error === undefined
          ? result
          : { ...result, info: { path: args[0], is_dir: false } };
      },
    }),
  ),
];
