import { canonicalPath } from "../paths/path.js";
import { joinPath, prefixOf, segmentsOf } from "../paths/segments.js";
import type { BackendProtocolV2 } from "../types/protocol.js";

/** A backend and the directory it appears at. */
export interface Mount {
  /** Canonical directory; `/` for the default backend. */
  readonly prefix: string;
  readonly backend: BackendProtocolV2;
}

interface Node {
  readonly children: Map<string, Node>;
  mount?: Mount;
}

/**
 * Routes by segment. A lookup costs the depth of the path, whatever the number of routes.
 */
export class MountTable {
  readonly #root: Node = { children: new Map() };
  readonly #fallback: Mount;

  /** Throws a TypeError for a route that is not an absolute directory, is the root, or comes twice. */
  constructor(fallback: BackendProtocolV2, routes: Iterable<readonly [string, BackendProtocolV2]>) {
    this.#fallback = { prefix: "/", backend: fallback };
    this.#root.mount = this.#fallback;
    for (const [route, backend] of routes) this.#add(route, backend);
  }

  #add(route: string, backend: BackendProtocolV2): void {
    const canonical = canonicalPath(route);
    if (canonical.failure !== undefined)
      throw new TypeError(`Bad route: ${canonical.failure.error}`);
    const { path: prefix } = canonical;
    if (prefix === "/")
      throw new TypeError("Bad route '/': the root belongs to the default backend.");
    let node = this.#root;
    for (const name of segmentsOf(prefix)) {
      const child = node.children.get(name) ?? { children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    if (node.mount !== undefined) throw new TypeError(`Bad route '${route}': it is there already.`);
    node.mount = { prefix, backend };
  }

  /** The mount that a canonical path belongs to: the one with the longest prefix. */
  ownerOf(path: string): Mount {
    let owner = this.#fallback;
    let node: Node | undefined = this.#root;
    for (const name of segmentsOf(path)) {
      node = node.children.get(name);
      if (node === undefined) break;
      owner = node.mount ?? owner;
    }
    return owner;
  }

  /** The mounts strictly below a canonical directory. */
  below(directory: string): Mount[] {
    const found: Mount[] = [];
    const pending = [...(this.#nodeAt(directory)?.children.values() ?? [])];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.mount !== undefined) found.push(node.mount);
      pending.push(...node.children.values());
    }
    return found;
  }

  /** The names of the immediate children of a directory that lead to a mount. */
  childNames(directory: string): string[] {
    return [...(this.#nodeAt(directory)?.children.keys() ?? [])];
  }

  /** Tells whether a path is a mount other than the default's, or leads to one. */
  isStructure(path: string): boolean {
    const node = this.#nodeAt(path);
    return node !== undefined && path !== "/";
  }

  #nodeAt(directory: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of segmentsOf(directory)) {
      node = node.children.get(name);
      if (node === undefined) return undefined;
    }
    return node;
  }
}

/** A canonical path as the backend of a mount knows it. */
export function toInner({ prefix }: Mount, path: string): string {
  if (prefix === "/") return path;
  return path === prefix ? "/" : path.slice(prefix.length);
}

/** A path of a mount's backend as the caller knows it. A trailing slash stays. */
export function toOuter({ prefix }: Mount, inner: string): string {
  if (prefix === "/") return inner;
  return inner === "/" ? prefixOf(prefix) : joinPath(prefix, inner.slice(1));
}
