import type { PathGlob } from "../glob/path-glob.js";
import type { Replacement } from "../text/edit.js";
import type { LinePattern } from "../text/line-pattern.js";

/** Passed to every primitive and hook. */
export interface VolumeCall {
  /** Fires when the caller gave up. Reads should stop; a write that has begun may finish. */
  readonly signal?: AbortSignal | undefined;
}

/** A whole file. */
export interface VolumeFile {
  /** The content. The backend never changes it, and copies it before it leaves. */
  readonly bytes: Uint8Array;
  /**
   * The same content as a text, where the storage keeps texts: what only needs the text then never asks for {@link bytes},
   * which may be a getter.
   */
  readonly text?: string | undefined;
  /** Differs whenever the content does: a hash, an ETag, a counter that never begins again, also not after a removal. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly modifiedAt: string;
  /** ISO 8601, UTC. Default: {@link modifiedAt}. */
  readonly createdAt?: string | undefined;
  /** As {@link VolumePut.writeId}; `""` for a file that another program has stored. */
  readonly writeId?: string | undefined;
}

/** What a listing says of one file or directory. */
export interface VolumeEntry {
  /** Canonical path, without a trailing slash. */
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Bytes. Files only. */
  readonly size?: number | undefined;
  /** ISO 8601, UTC. */
  readonly modifiedAt?: string | undefined;
  /** ISO 8601, UTC. In `stat` where the storage knows it. */
  readonly createdAt?: string | undefined;
  /** The version that `get` gives, where a listing has it for free; always in `stat`. Files only. */
  readonly version?: string | undefined;
  /** As {@link VolumePut.writeId}; `""` for a file that another program has stored. In `stat`. */
  readonly writeId?: string | undefined;
}

/** What must be true of the stored file for a `put` to happen; otherwise it throws. At most one of the two. */
export interface PutCondition extends VolumeCall {
  /** Nothing stands there, else `already_exists`. */
  readonly ifAbsent?: boolean | undefined;
  /** The file has this version, else `conflict`; a missing file is a `conflict` too. */
  readonly ifVersion?: string | undefined;
}

export interface RemoveCondition extends VolumeCall {
  /** The file has this version, else `conflict`. */
  readonly ifVersion?: string | undefined;
  /**
   * What goes is a real directory that holds nothing at all, also nothing that no listing shows, such as a link; else
   * `is_directory`. Anything but a directory stays, and `false` is returned.
   */
  readonly ifEmpty?: boolean | undefined;
}

export interface EditCondition extends RemoveCondition {
  /** Bytes that the file may have afterwards; `Infinity` without a limit. An edit that would exceed it is declined. */
  readonly maxBytes: number;
}

export interface ListQuery extends VolumeCall {
  /** `false`: files and directories right in the directory. `true`: every file at any depth, and no directories. */
  readonly deep: boolean;
  /** Only files that match are of use: others may be left out, and so may directories, whole ones where `deep` walks them. */
  readonly glob?: PathGlob | undefined;
  /** To be called when the system refuses to show something below, which is then left out: the listing is known to be partial. */
  readonly onUnreadable?: (() => void) | undefined;
}

/** What lies in or below a directory, in any order. An async generator of entries is one. */
export interface Listing extends AsyncIterable<VolumeEntry> {
  /** The same entries in batches of any size, so that a hundred thousand of them cost no hundred thousand promises. */
  batches?(): AsyncIterable<readonly VolumeEntry[]>;
}

/** A search as a hook sees it: what to find, and where. */
export interface GrepQuery extends VolumeCall {
  readonly pattern: LinePattern;
  /** The file itself, or the directory below which to search. */
  readonly root: string;
  /** Files that count, when the caller filters. */
  readonly glob?: PathGlob | undefined;
  /** Returns whether a path counts: it passes the filter and is not binary by its extension. */
  accepts(path: string): boolean;
  /** Matches after which the rest is of no use, in path and line order; `Infinity` without a cap. */
  readonly limit: number;
  /** As {@link ListQuery.onUnreadable}. */
  readonly onUnreadable?: (() => void) | undefined;
}

/** One matching line, from a hook. */
export interface VolumeHit {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Without its terminator: no `\n`, no `\r` before it. */
  readonly text: string;
}

/** Hits in batches of any size, so that a million of them cost no million promises. */
export interface GrepStream {
  readonly batches: AsyncIterable<readonly VolumeHit[]>;
  /** True when hits come in path and line order: then reading stops at the limit. */
  readonly sorted: boolean;
}

/** A page as a hook read it. */
export interface VolumePage {
  /** The exact bytes of the page's lines, terminators included. */
  readonly bytes: Uint8Array;
  /** Lines in `bytes`. */
  readonly lines: number;
  /** Lines of the whole file, when the end was seen. */
  readonly totalLines?: number | undefined;
  /** True when nothing follows the page. */
  readonly atEnd: boolean;
  readonly version?: string | undefined;
}

/** What an edit hook did. */
export interface VolumeEdit {
  readonly occurrences: number;
  /** The new version, where it is known. */
  readonly version?: string | undefined;
  /** Bytes of the file afterwards, where known. */
  readonly size?: number | undefined;
}

/** One file of a batch: where, what, and on which condition; without one it is replaced. */
export type VolumeUpload = readonly [
  path: string,
  bytes: Uint8Array,
  condition?: Pick<PutCondition, "ifAbsent" | "ifVersion"> | undefined,
];

/** What a `put` stored. */
export interface VolumePut {
  /** The new version, where it is known. */
  readonly version?: string | undefined;
  /**
   * Names this very write, and no other, where versions are hashes of the content. `get` and `stat` answer it as long as the file is
   * the one that this write stored. By it a move knows what it copied, and its copy, from the same content stored by another call;
   * a storage whose versions differ with every write needs none.
   */
  readonly writeId?: string | undefined;
}

/** Which page of a directory's children is asked for. */
export interface ListPageQuery extends ListQuery {
  /** Entries that sort after this path, as listed, only. A directory is listed with a trailing slash. */
  readonly after: string | undefined;
  /** Entries at most. */
  readonly limit: number;
}

/** A page of a directory's children. */
export interface VolumeListPage {
  readonly entries: readonly VolumeEntry[];
  /**
   * Whether anything may follow. A page of which more follows holds an entry after `after`, unless `limit` is 0: else the
   * whole listing is read.
   */
  readonly more: boolean;
}

/**
 * Where files are kept. Four primitives are enough; each hook makes one thing faster and never different: the
 * conformance suite runs every volume with its hooks and without them, and demands equal answers.
 *
 * Paths arrive canonical: absolute, without a trailing slash, no `.` or `..`, no control characters. `/` is only ever
 * listed. A volume throws {@link VolumeError} for what it recognises and may let a driver's own error through: the
 * backend maps errno codes, and everything else to `unavailable` without repeating its message.
 */
export interface Volume {
  /** `"real"`: the storage has directories of its own, empty ones too. Default `"implicit"`: one exists while a file lies below. */
  readonly directories?: "implicit" | "real";
  /**
   * What keeps a file from standing where a directory is, and the other way round.
   * `"checked"` (default): the backend looks before it creates. Calls of one backend that would meet are made one after the other; two
   * clients that meet may both be done, so that a storage with several needs `"refused"`: `put`, and the hooks that move and copy,
   * throw `is_directory` and `not_directory` by themselves. `"allowed"`: nothing; the storage cannot tell, as in a bucket.
   */
  readonly collisions?: "checked" | "refused" | "allowed";
  /**
   * True: deep listings come in path order, by UTF-16 code unit, so that a search with a cap can leave them early. Default
   * false: the backend reads them to their end and sorts them.
   */
  readonly listsInOrder?: boolean;
  /**
   * True: the volume orders mutations issued together by itself, and gains from seeing them at once, as where one commit
   * carries them all. Default false: the backend hands it those of one path one after the other.
   */
  readonly ordersMutations?: boolean;
  /**
   * True: the hooks that move and copy need no look beforehand. Those for a file decline a source that is no file, whatever
   * is at the destination, and those for a directory refuse or decline a destination where something stands. Collisions are `"refused"` then.
   * Default false.
   */
  readonly relocatesUnseen?: boolean;
  /**
   * Milliseconds that the volume waits for an answer of the storage. A change that has waited for as long behind others of its
   * path is `timeout` once the one before it got no answer, and nothing is changed. Default `Infinity`.
   */
  readonly callTimeoutMs?: number;

  /** The file, or `undefined` where there is none. */
  get(path: string, call: VolumeCall): Promise<VolumeFile | undefined>;
  /** Stores a whole file, parents included, at once or not at all. Returns the new version where it is known. */
  put(path: string, bytes: Uint8Array, condition: PutCondition): Promise<VolumePut>;
  /** Removes a file. Returns whether there was one. Directories that become empty vanish, or stay if they are real. */
  remove(path: string, condition: RemoveCondition): Promise<boolean>;
  /**
   * What lies in or below a directory, in any order. Yields nothing for a missing directory, or throws `not_found`
   * (`not_directory` for a file, or below one) where the storage knows.
   */
  list(directory: string, query: ListQuery): Listing;

  /**
   * A page of a directory's children, sorted by UTF-16 code unit of the path as listed. `undefined` declines: the whole
   * listing is read.
   */
  listPage?(directory: string, query: ListPageQuery): Promise<VolumeListPage | undefined>;
  /** What is at a path, without its content. */
  stat?(path: string, call: VolumeCall): Promise<VolumeEntry | undefined>;
  /** Lines `offset` to `offset + limit` of a text file. `undefined` declines: the whole file is read instead. */
  readPage?(
    path: string,
    page: { readonly offset: number; readonly limit: number } & VolumeCall,
  ): Promise<VolumePage | undefined>;
  /** Applies all edits at once. `undefined` declines, and changes nothing: the generic path then says why. */
  edit?(
    path: string,
    edits: readonly Replacement[],
    condition: EditCondition,
  ): Promise<VolumeEdit | undefined>;
  /** Searches where the data is. `undefined` declines. Files that are not text yield nothing. */
  grep?(query: GrepQuery): Promise<GrepStream | undefined>;
  /** Many files at once, in input order. */
  getMany?(
    paths: readonly string[],
    call: VolumeCall,
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>>;
  /**
   * What is at many paths, in input order: what is created is checked with it, alone or in a batch. `undefined` in the list: nothing.
   * `undefined` in place of it declines: each path is then looked at alone.
   */
  kindMany?(
    paths: readonly string[],
    call: VolumeCall,
  ): Promise<ReadonlyArray<VolumeEntry["kind"] | undefined> | undefined>;
  /**
   * Stores many files at once, each on its condition, in input order. A path that comes twice ends with its last content.
   * `undefined` declines, and changes nothing: each file is then put alone. A batch that throws says of none of its files
   * whether it was stored: where some are known to be, as after a signal, they are fulfilled and the others rejected.
   */
  putMany?(
    files: readonly VolumeUpload[],
    call: VolumeCall,
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumePut | undefined>> | undefined>;
  /**
   * Removes many files at once, each only in its version, in input order: whether there was one. `undefined` declines, and
   * changes nothing: each file is then removed alone.
   */
  removeMany?(
    files: ReadonlyArray<readonly [path: string, version: string]>,
    call: VolumeCall,
  ): Promise<ReadonlyArray<PromiseSettledResult<boolean>> | undefined>;
  /**
   * Removes a directory with all below it, each file once: one that is created in its place meanwhile stays (D2). Returns how many
   * files went.
   */
  removeTree?(path: string, call: VolumeCall): Promise<number>;
  /** Moves one file. `undefined` declines. */
  moveFile?(
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined>;
  /** Moves a directory with all below it to where nothing stands, at once. Returns how many files went; `undefined` declines. */
  moveTree?(from: string, to: string, call: VolumeCall): Promise<number | undefined>;
  /** Copies one file. `undefined` declines. */
  copyFile?(
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined>;
  /** Copies a directory with all below it to where nothing stands, all or nothing. Returns how many files; `undefined` declines. */
  copyTree?(from: string, to: string, call: VolumeCall): Promise<number | undefined>;
  /** Frees connections and handles. */
  close?(): Promise<void>;
}
