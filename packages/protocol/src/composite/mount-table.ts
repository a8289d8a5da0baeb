import { canonicalPath } from "../paths/path.js";
import { joinPath, prefixOf, segmentsOf } from "../paths/segments.js";
import type { PageOptions } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";

/** A backend and the directory it appears at. */
export interface Mount {
  /** Canonical directory; `/` for the default backend. */
  readonly prefix: string;
  readonly backend: Filesystem;
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
  constructor(fallback: Filesystem, routes: Iterable<readonly [string, Filesystem]>) {
    this.#fallback = { prefix: "/", backend: fallback };
    this.#root.mount = this.#fallback;
    for (const [route, backend] of routes) this.#add(route, backend);
  }

  #add(route: string, backend: Filesystem): void {
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

  /** Every mount, the default first. */
  mounts(): Mount[] {
    return [this.#fallback, ...this.below("/")];
  }

  /** The names of the immediate children of a directory that lead to a mount. */
  childNames(directory: string): string[] {
    return [...(this.#nodeAt(directory)?.children.keys() ?? [])];
  }

  /** Returns whether a path is a mount other than the default's, or leads to one. */
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

/** One call of a fan-out. */
export interface Visit {
  readonly mount: Mount;
  /** Where to search, as the mount's backend knows it. */
  readonly inner: string;
  /** The pattern for it, where the call has one. */
  readonly pattern?: string | undefined;
  /** True for a mount below the searched directory: whether that exists is not for it to say. */
  readonly below: boolean;
}

/** The owner of a directory and every mount below it. */
export function visitsOf(table: MountTable, base: string): Visit[] {
  const owner = table.ownerOf(base);
  return [
    { mount: owner, inner: toInner(owner, base), below: false },
    ...table.below(base).map((mount) => ({ mount, inner: "/", below: true })),
  ];
}

/** The searched directory of a visit, as the caller knows it. */
export function outerRoot({ mount, inner }: Visit): string {
  return withoutSlash(toOuter(mount, inner));
}

/** Returns whether a path that a mount answered with is its own, and not hidden beneath another mount. */
export function isOwnedBy(table: MountTable, mount: Mount, path: string): boolean {
  return table.ownerOf(withoutSlash(path)) === mount;
}

/** As {@link isOwnedBy}, for a file: where a directory leads to a mount, a file of that name in its owner is hidden. */
export function isFileOf(table: MountTable, mount: Mount, path: string): boolean {
  return isOwnedBy(table, mount, path) && !table.isStructure(path);
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/**
 * The options of a page as one mount is asked for them: the page itself where the mount alone answers and can page, else
 * everything, to be cut here.
 */
export function innerPage(mount: Mount, options: PageOptions, alone: boolean): PageOptions {
  const { limit, after, ...rest } = options;
  if (!alone || mount.backend.features?.includes("pages") !== true) return rest;
  if (after !== undefined && !after.startsWith(mount.prefix)) return rest;
  return {
    ...rest,
    ...(limit === undefined ? {} : { limit }),
    ...(after === undefined
      ? {}
      : { after: mount.prefix === "/" ? after : after.slice(mount.prefix.length) }),
  };
}

/** The options of a look whether a directory is there: one entry where the mount can page, else everything. */
export function oneEntry({ backend }: Mount, options: PageOptions): PageOptions {
  const { limit: _limit, after: _after, ...rest } = options;
  return backend.features?.includes("pages") === true ? { ...rest, limit: 1 } : rest;
}
