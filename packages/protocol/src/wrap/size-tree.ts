import { joinPath, segmentsOf } from "../paths/segments.js";

interface Node {
  /** Bytes of the file here. */
  size: number | undefined;
  children: Map<string, Node> | undefined;
}

/** The size of every file, kept by directory, so that what lies below a path is found at the cost of what lies there. */
export class SizeTree {
  #root: Node = { size: undefined, children: undefined };
  #bytes = 0;
  #files = 0;

  /** Bytes of all files together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many files there are. */
  get files(): number {
    return this.#files;
  }

  size(path: string): number | undefined {
    return this.#at(path)?.size;
  }

  /** Sets the size of a file; `undefined` for one that is gone. */
  set(path: string, size: number | undefined): void {
    const before = this.size(path);
    this.#bytes += (size ?? 0) - (before ?? 0);
    this.#files += Number(size !== undefined) - Number(before !== undefined);
    if (size !== undefined) this.#grow(path).size = size;
    else if (before !== undefined) prune(this.#root, segmentsOf(path));
  }

  /** The files at or below a path. */
  below(path: string): string[] {
    const found: string[] = [];
    const start = this.#at(path);
    if (start !== undefined) gather(path, start, found);
    return found;
  }

  #at(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of segmentsOf(path)) node = node?.children?.get(name);
    return node;
  }

  #grow(path: string): Node {
    let node = this.#root;
    for (const name of segmentsOf(path)) {
      const children: Map<string, Node> = (node.children ??= new Map<string, Node>());
      const child = children.get(name) ?? { size: undefined, children: undefined };
      children.set(name, child);
      node = child;
    }
    return node;
  }
}

/** Takes a file away, and the directories that hold none without it. */
function prune(node: Node, [name, ...rest]: readonly string[]): void {
  if (name === undefined) {
    node.size = undefined;
    return;
  }
  const child = node.children?.get(name);
  if (child === undefined) return;
  prune(child, rest);
  if (child.size === undefined && (child.children?.size ?? 0) === 0) node.children?.delete(name);
}

function gather(path: string, { size, children }: Node, found: string[]): void {
  if (size !== undefined) found.push(path);
  for (const [name, child] of children ?? []) gather(joinPath(path, name), child, found);
}
