import type { BackendProtocolV2 } from "@fs/protocol";
import { NotApplicable } from "../engine/check-failure.js";
import type { CaseContext } from "../engine/case-context.js";
import type { FileModel } from "../model/file-model.js";

/** Every method of the protocol that takes a path. A method without a row does not compile. */
export type PathMethod = Exclude<
  {
    [K in keyof BackendProtocolV2]-?: NonNullable<BackendProtocolV2[K]> extends (
      ...args: never[]
    ) => unknown
      ? K
      : never;
  }[keyof BackendProtocolV2],
  undefined
>;

/** What the rules say of a call: it is refused with one of these codes, or it succeeds with an answer. */
export type Prediction =
  | { readonly codes: readonly string[] }
  | { readonly codes?: undefined; readonly answer: ExpectedAnswer };

/** Fields of an answer; those under `ifGiven` may be absent. */
export interface ExpectedAnswer {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly ifGiven?: Readonly<Record<string, unknown>>;
  /** Paths of `files`, in order. */
  readonly paths?: readonly string[];
  /** `[path, line, text]` of `matches`, in order. */
  readonly lines?: ReadonlyArray<readonly [string, number, string]>;
}

/** One way in which a method takes a path: a row of the matrix. */
export interface Row {
  /** The method, and which of its paths is meant: `"move-to"`. */
  readonly id: string;
  readonly method: PathMethod;
  /** The rules of the method, cited by all of its cells beside that of the column. */
  readonly rules: readonly string[];
  /** The flag of the profile that claims the method, for optional ones. */
  readonly need?: string;
  /** `read` shows content or names, `change` changes files. */
  readonly kind: "read" | "change";
  /** Whether the path must name a file, so that a trailing slash is refused. */
  readonly file: boolean;
  /** Whether the answer is a list, one item per path. */
  readonly batch: boolean;
  /** Whether `ifVersion` is an option of the method. */
  readonly versioned: boolean;
  /** Files that must be there besides the subject: the source of `move-to`. */
  readonly beside: Readonly<Record<string, string>>;
  /** The arguments of a call on this path; `text` is what the subject holds, where it is text. */
  args(path: unknown, text: string | undefined, options?: unknown): unknown[];
  /**
   * What the rules say of that call, for a canonical path. Changes the model as the call changes the files.
   */
  predict(model: FileModel, path: string, text: string | undefined): Prediction;
}

/** Ends a case about a method that the profile leaves open and the backend does not have. */
export function requireOffered({ backend, profile }: CaseContext, { method }: Row): void {
  if (method === "stat" && profile.stat === "offered" && !backend.has(method))
    throw new NotApplicable("the backend has no 'stat'");
}

/** How many arguments stand before the options. */
export function optionsIndexOf(row: Row): number {
  return row.args("/a", "a", {}).length - 1;
}

/** The ID of the case of a cell: `matrix/read-raw-empty`. */
export function cellId(row: Row, column: string): string {
  const name = row.id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `matrix/${name}-${column}`;
}
