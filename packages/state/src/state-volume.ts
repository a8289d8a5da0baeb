import {
  applyEdits,
  ancestorsOf,
  joinPath,
  searchTexts,
  VolumeError,
  type EditCondition,
  type GrepQuery,
  type GrepStream,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Replacement,
  type Volume,
  type VolumeCall,
  type VolumeEdit,
  type VolumeEntry,
  type VolumeFile,
  utf8Length,
} from "@fs/protocol/author";
import type { ContentStore } from "./content-store.js";
import {
  bytesOf,
  createdAt,
  modifiedAt,
  referringFile,
  storedFileOf,
  textOf,
  timeAfter,
  type FileFormat,
  type StoredFile,
} from "./file-data.js";
import { entryOf, versionOf } from "./file-facts.js";
import { DIRECTORY, type FileTree } from "./file-tree.js";
import type { Change } from "./operations.js";

/** Where a call finds the files and leaves its changes. Between the two nothing may be awaited. */
export interface Workspace {
  /** Whether changes are replayed by the reducer of this package. Others drop references to contents. */
  keepsReferences(): boolean;
  view(): FileTree;
  /** A promise where something is still needed to make the change last. */
  acknowledge(change: Change): Promise<void> | undefined;
}

/** Files in the state of the running graph. Every mutation checks and takes effect without a pause in between. */
export class StateVolume implements Volume {
  readonly directories = "implicit";
  readonly collisions = "refused";
  readonly #open: () => Workspace | Promise<Workspace>;
  readonly #format: FileFormat;
  readonly #contents: ContentStore | undefined;
  /** The directory of the field that holds this volume's files; empty for all of them. */
  readonly #root: string;

  constructor(
    open: () => Workspace | Promise<Workspace>,
    format: FileFormat,
    contents: ContentStore | undefined,
    root: string,
  ) {
    this.#open = open;
    this.#format = format;
    this.#contents = contents;
    this.#root = root;
  }

  async get(path: string, { signal }: VolumeCall): Promise<VolumeFile | undefined> {
    const file = (await this.#open()).view().file(this.#root + path);
    if (file === undefined) return undefined;
    return {
      bytes: await this.#bytesOf(path, file, signal),
      version: versionOf(file),
      modifiedAt: modifiedAt(file),
      createdAt: createdAt(file),
    };
  }

  async put(
    name: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const path = this.#root + name;
    const workspace = await this.#open();
    refuseUnmet(workspace.view(), path, condition);
    const reference = await this.#keep(workspace, bytes, condition.signal);
    // While the content was on its way, others may have changed the file.
    const tree = workspace.view();
    refuseUnmet(tree, path, condition);
    const old = tree.file(path);
    const file =
      reference === undefined
        ? storedFileOf(path, bytes, old, this.#format)
        : referringFile(path, bytes, old, reference);
    await workspace.acknowledge({ put: path, file });
    return { version: versionOf(file) };
  }

  async remove(name: string, condition: RemoveCondition): Promise<boolean> {
    const path = this.#root + name;
    const workspace = await this.#open();
    const old = workspace.view().file(path);
    refuseOther(old, condition);
    if (old === undefined) return false;
    await workspace.acknowledge({ remove: path });
    return true;
  }

  async removeTree(name: string): Promise<number> {
    const path = this.#fieldPath(name);
    const workspace = await this.#open();
    const { length } = workspace.view().below(path);
    if (length > 0) await workspace.acknowledge({ removeBelow: path });
    return length;
  }

  async edit(
    name: string,
    edits: readonly Replacement[],
    { ifVersion, maxBytes }: EditCondition,
  ): Promise<VolumeEdit | undefined> {
    const path = this.#root + name;
    const workspace = await this.#open();
    const file = workspace.view().file(path);
    const text = file === undefined ? undefined : textOf(path, file);
    // Whatever does not apply is left to the generic path, which says why.
    if (file === undefined || text === undefined || text.includes("\0")) return undefined;
    if (ifVersion !== undefined && ifVersion !== versionOf(file)) return undefined;
    const outcome = applyEdits(text, edits);
    if (outcome.refusal !== undefined || utf8Length(outcome.text) > maxBytes) return undefined;
    const { occurrences } = outcome;
    if (outcome.text === text) return { occurrences, version: versionOf(file) };
    const lasting = workspace.acknowledge({
      edit: path,
      edits,
      at: timeAfter(file),
      ...(this.#format === "v1" ? { v1: true } : {}),
    });
    // The change is in the view at once; what comes after the wait may be another call's.
    const edited = workspace.view().file(path);
    await lasting;
    return edited === undefined ? { occurrences } : { occurrences, version: versionOf(edited) };
  }

  async stat(path: string): Promise<VolumeEntry | undefined> {
    const tree = (await this.#open()).view();
    const place = this.#fieldPath(path);
    const file = tree.file(place);
    if (file !== undefined)
      return { ...entryOf(path, file), version: versionOf(file), createdAt: createdAt(file) };
    const known = path === "/" || tree.isDirectory(place);
    return known ? { path, kind: "directory" } : undefined;
  }

  async *list(directory: string, { deep, glob }: ListQuery): AsyncGenerator<VolumeEntry> {
    const tree = (await this.#open()).view();
    if (!deep) {
      for (const [name, child] of tree.children(this.#fieldPath(directory)) ?? []) {
        const path = joinPath(directory, name);
        yield child === DIRECTORY ? { path, kind: "directory" } : entryOf(path, child);
      }
      return;
    }
    for (const place of tree.below(this.#fieldPath(directory))) {
      const path = place.slice(this.#root.length);
      if (glob !== undefined && !glob.matches(path)) continue;
      const file = tree.file(place);
      if (file !== undefined) yield entryOf(path, file);
    }
  }

  async grep(query: GrepQuery): Promise<GrepStream | undefined> {
    // Contents that have to be fetched are left to the generic path, which fetches a few at a time.
    if (this.#contents !== undefined) return undefined;
    const tree = (await this.#open()).view();
    return { batches: searchTexts(texts(tree, query, this.#root), query), sorted: true };
  }

  async getMany(
    paths: readonly string[],
    call: VolumeCall,
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>> {
    return Promise.allSettled(paths.map((path) => this.get(path, call)));
  }

  /** Where a path, which may be the root directory, is in the field. */
  #fieldPath(path: string): string {
    return path === "/" && this.#root !== "" ? this.#root : this.#root + path;
  }

  async #keep(
    workspace: Workspace,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const contents = this.#contents;
    if (contents === undefined || bytes.length < contents.from) return undefined;
    return workspace.keepsReferences() ? contents.keep(bytes, signal) : undefined;
  }

  async #bytesOf(
    path: string,
    file: StoredFile,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    if (file.reference === undefined) return bytesOf(path, file);
    if (this.#contents === undefined)
      throw new VolumeError(
        "unavailable",
        "The file's content is kept outside the state: give the backend that holds it as `content`.",
      );
    return this.#contents.fetch(file.reference, signal);
  }
}

/** The texts that a search reads, made one at a time. */
function* texts(
  tree: FileTree,
  query: GrepQuery,
  root: string,
): Generator<readonly [string, string]> {
  const start = query.root === "/" && root !== "" ? root : root + query.root;
  const places = tree.file(start) === undefined ? tree.below(start) : [start];
  for (const place of places) {
    const path = place.slice(root.length);
    const file = query.accepts(path) ? tree.file(place) : undefined;
    const text = file === undefined ? undefined : textOf(path, file);
    if (text !== undefined) yield [path, text];
  }
}

function refuseUnmet(tree: FileTree, path: string, condition: PutCondition): void {
  refuseCollision(tree, path);
  const old = tree.file(path);
  if (condition.ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
  refuseOther(old, condition);
}

function refuseOther(old: StoredFile | undefined, { ifVersion }: RemoveCondition): void {
  if (ifVersion === undefined) return;
  if (old === undefined || versionOf(old) !== ifVersion) throw new VolumeError("conflict");
}

function refuseCollision(tree: FileTree, path: string): void {
  if (tree.isDirectory(path)) throw new VolumeError("is_directory");
  for (const ancestor of ancestorsOf(path))
    if (tree.file(ancestor) !== undefined) throw new VolumeError("not_directory");
}
