import { setTimeout as delay } from "node:timers/promises";
import { wrongAbove, wrongBelow, type FaultMutant } from "./fault-mutant.js";

/** What is wrong once a fault is over, or where it begins in the middle of a call. */
export const FAULT_SEQUEL_MUTANTS: readonly FaultMutant[] = [
  wrongAbove("fault/done-once", "An edit without an answer is made once more.", (inner) => ({
    edit: async (path, old, to, all, options) => {
      const result = await inner.edit(path, old, to, all, options);
      if (result.code !== "unavailable") return result;
      await inner.edit(path, old, to, all, options);
      return result;
    },
  })),
  wrongAbove(
    "fault/write-answer-lost",
    "A change that was made without an answer is answered as if nothing had happened.",
    (inner) => ({
      write: async (path, content, options) => {
        const result = await inner.write(path, content, options);
        return result.code === "unavailable"
          ? { ...result, error: "The storage failed. Try again later." }
          : result;
      },
    }),
  ),
  wrongAbove("fault/used-again", "A client gives up for good after five failures.", (inner) => {
    let failures = 0;
    return {
      read: async (path, ...rest) => {
        if (failures >= 5) return { error: "The storage is away.", code: "unavailable" };
        const result = await inner.read(path, ...rest);
        failures = result.code === "unavailable" ? failures + 1 : 0;
        return result;
      },
    };
  }),
  wrongBelow("fault/cut-midway", "A file that could not be read has no matches.", (storage) => {
    let found = false;
    return {
      grep: () => Promise.resolve(undefined),
      get: async (path, call) => {
        try {
          const file = await storage.get(path, call);
          found ||= file !== undefined;
          return file;
        } catch (error) {
          if (!found) throw error;
          return undefined;
        }
      },
    };
  }),
  wrongBelow(
    "fault/relocated-full-midway",
    "What has no room among many files is left out of a copy, which succeeds.",
    (storage) => {
      let stored = 0;
      return {
        // Declined: the generic way copies file by file.
        copyFile: () => Promise.resolve(undefined),
        copyTree: () => Promise.resolve(undefined),
        put: async (path, bytes, condition) => {
          try {
            const put = await storage.put(path, bytes, condition);
            stored++;
            return put;
          } catch (error) {
            if (stored === 0 || !path.includes("/to/")) throw error;
            return { version: "0" };
          }
        },
      };
    },
  ),
  wrongAbove(
    "fault/read-only-is-for-good",
    "What was refused is kept, and stored with the next upload that is accepted.",
    (inner) => {
      const kept: Array<[string, Uint8Array]> = [];
      return {
        uploadFiles: async (files, options) => {
          const copies = files.map(([path, bytes]): [string, Uint8Array] => [path, bytes.slice()]);
          const answers = await inner.uploadFiles(files, options);
          for (const [n, file] of copies.entries())
            if (answers[n]?.code === "permission_denied") kept.push(file);
          if (answers.every(({ error }) => error === null) && kept.length > 0)
            await inner.uploadFiles(kept.splice(0));
          return answers;
        },
      };
    },
  ),
  wrongAbove(
    "fault/built-upon",
    "A file whose creation was not answered is removed again, even if another client has changed it since.",
    (inner) => ({
      write: async (path, content, options) => {
        const result = await inner.write(path, content, options);
        if (result.code !== "unavailable") return result;
        // Long enough for the other client also where the machine is busy.
        await delay(250);
        await inner.delete(path);
        return result;
      },
    }),
  ),
];
