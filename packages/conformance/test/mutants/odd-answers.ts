import { createHash, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { MemoryBackend, type BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import type { DeclaredProfile } from "@fs/conformance";
import { overlay } from "./mutant.js";
import type { OddBackend } from "./odd-backends.js";
import { MadeVersions } from "./own-versions.js";

type Fields = Record<string, unknown>;

/** No backend of this repository: its answers are looser, and it has no hooks to be compared with. */
const FOREIGN = { withoutHooks: undefined, semantics: undefined };

/** A backend every answer of which is made into another that means the same. */
function answering(
  name: string,
  what: string,
  change: (answer: unknown) => unknown,
  profile: DeclaredProfile = {},
): OddBackend {
  return {
    name,
    what,
    profile,
    create: () =>
      new Proxy(overlay(new MemoryBackend(), FOREIGN), {
        get(target, method) {
          const value: unknown = Reflect.get(target, method);
          if (typeof value !== "function" || method === "close") return value;
          return async (...args: unknown[]): Promise<unknown> =>
            change(await (Reflect.apply(value, target, args) as unknown));
        },
      }),
  };
}

/** Every object of an answer, made into another; bytes stay. */
function deeply(value: unknown, change: (fields: Fields) => unknown): unknown {
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => deeply(item, change));
  const fields = Object.entries(value).map(([key, field]) => [key, deeply(field, change)]);
  return change(Object.fromEntries(fields) as Fields);
}

function leavingOut(...names: readonly string[]) {
  return (answer: unknown): unknown =>
    deeply(answer, (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
    );
}

const TIMES = ["modified_at", "created_at"];

/** Whole seconds, in another zone. */
function inSeconds(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    TIMES.includes(name) && typeof value === "string"
      ? `${new Date(Date.parse(value) + 7_200_000).toISOString().slice(0, 19)}+02:00`
      : value,
  ]);
  return Object.fromEntries(entries) as Fields;
}

/** A sentence that quotes in another way. One that quotes more than once keeps its own. */
function quotedOtherwise(fields: Fields): Fields {
  const { error, path } = fields;
  if (typeof error === "string")
    return { ...fields, error: error.replace(/^([^']*)'([^']*)'([^']*)$/, "$1«$2»$3") };
  // Of a batch: the path in its canonical form, where nothing failed.
  return error === null && typeof path === "string"
    ? { ...fields, path: path.replaceAll(/\/\.?(?=\/)/g, "") }
    : fields;
}

function versioned(name: string, what: string, versionOf: () => MadeVersions): OddBackend {
  return { name, what, profile: {}, create: () => new VolumeBackend(versionOf()) };
}

/** The same options without a signal, none of which is read on the way. */
function withoutSignal(argument: unknown): unknown {
  if (typeof argument !== "object" || argument === null || !("signal" in argument)) return argument;
  const { signal: _, ...rest } = Object.getOwnPropertyDescriptors(argument);
  return Object.defineProperties({}, rest);
}

/** A backend that ignores signals. */
function deaf(): BackendProtocolV2 {
  return new Proxy(overlay(new MemoryBackend(), { withoutHooks: undefined }), {
    get(target, method) {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown =>
        Reflect.apply(value, target, args.map(withoutSignal)) as unknown;
    },
  });
}

/** Backends that are right, and answer in a way that one does not expect. */
export const ODD_ANSWERS: readonly OddBackend[] = [
  answering("null-errors", "says error: null where nothing went wrong", (answer) =>
    typeof answer === "object" && answer !== null && !Array.isArray(answer) && !("error" in answer)
      ? { ...answer, error: null }
      : answer,
  ),
  answering("frozen", "freezes what it answers", (answer) => deeply(answer, Object.freeze)),
  answering("without-prototype", "answers objects without a prototype", (answer) =>
    deeply(answer, (fields) => Object.assign(Object.create(null) as object, fields)),
  ),
  answering("talkative", "says more than anybody asked for", (answer) =>
    deeply(answer, (fields) => ({ ...fields, etag: '"1"', owner: { id: 0 }, note: null })),
  ),
  answering(
    "taciturn",
    "says nothing that may be left out",
    leavingOut("totalLines", "startLine", "endLine"),
  ),
  answering("in-other-quotes", "quotes paths in another way, canonical ones in batches", (answer) =>
    deeply(answer, quotedOtherwise),
  ),
  answering("in-seconds", "keeps times in whole seconds, in another zone", (answer) =>
    deeply(answer, inSeconds),
  ),
  answering("wordless", "has no codes", leavingOut("code"), { codes: false }),
  versioned(
    "content-versions",
    "makes a version of the content",
    () =>
      new MadeVersions((path, bytes) =>
        createHash("sha256").update(path).update(bytes).digest("base64"),
      ),
  ),
  versioned(
    "hashed",
    "gives all files of one content one version, so that a copy looks like another name of its source",
    () => new MadeVersions((_, bytes) => createHash("sha1").update(bytes).digest("hex")),
  ),
  versioned(
    "strange-versions",
    "has versions of any characters",
    () => new MadeVersions(() => `W/"${randomUUID()} é'\\"`),
  ),
  {
    name: "small",
    what: "takes files of 100 kB at most",
    profile: { limits: { fileBytes: 100_000 } },
    create: () => new MemoryBackend({ maxFileBytes: 100_000 }),
  },
  {
    name: "tiny",
    what: "takes files of 1 kB at most",
    profile: { limits: { fileBytes: 1000 } },
    create: () => new MemoryBackend({ maxFileBytes: 1000 }),
  },
  {
    name: "featureless",
    what: "has no stat and names no features",
    profile: { stat: false },
    create: () =>
      overlay(new MemoryBackend(), { stat: undefined, features: undefined, featuresAt: undefined }),
  },
  {
    name: "deaf",
    what: "ignores signals, and says so",
    profile: { signals: false },
    create: deaf,
  },
  {
    name: "without-expressions",
    what: "knows no regular expressions",
    profile: { regex: false },
    create: () => {
      const inner = new MemoryBackend();
      return overlay(inner, {
        withoutHooks: undefined,
        grep: async (...args: Parameters<MemoryBackend["grep"]>) =>
          args[4]?.regex === true
            ? { error: "Regular expressions are not known here.", code: "unsupported" }
            : inner.grep(...args),
      });
    },
  },
  {
    name: "late",
    what: "shows a change a while after it was answered",
    profile: { consistency: { eventualMs: 12 }, atomicity: "instance" },
    create: () => {
      const inner = new MemoryBackend();
      return new Proxy(overlay(inner, { withoutHooks: undefined }), {
        get(target, method) {
          const value: unknown = Reflect.get(target, method);
          if (typeof value !== "function" || method === "close") return value;
          return async (...args: unknown[]): Promise<unknown> => {
            const answer: unknown = await Reflect.apply(value, target, args);
            await delay(Math.random() * 2);
            return answer;
          };
        },
      });
    },
  },
];
