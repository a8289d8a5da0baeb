import type {
  BackendProtocolV2,
  CallOptions,
  EditOperation,
  GrepOptions,
  MutationOptions,
  PageOptions,
  TransferOptions,
  UploadFile,
  WriteOptions,
} from "@fs/protocol";

/** A backend seen from one of its directories, so that cases written for a root run on a route. */
export class RouteView implements BackendProtocolV2 {
  readonly #backend: BackendProtocolV2;
  readonly #route: string;

  /** @param route Absolute, without a trailing slash. */
  constructor(backend: BackendProtocolV2, route: string) {
    this.#backend = backend;
    this.#route = route;
    // What the backend lacks is lacking here too.
    for (const method of [
      "delete",
      "move",
      "copy",
      "multiEdit",
      "uploadFiles",
      "downloadFiles",
      "stat",
    ] as const) {
      if (backend[method] === undefined) Object.defineProperty(this, method, { value: undefined });
    }
  }

  async stat(path: string, ...rest: [CallOptions?]) {
    const { info, ...answer } = await called(this.#backend.stat?.(this.#into(path), ...rest));
    return info === undefined ? this.#outward(answer) : { ...answer, info: this.#outward(info) };
  }
  async ls(path?: string, ...rest: [PageOptions?]) {
    // An empty path is the root, which here is the route.
    const directory = path === "" ? "/" : (path ?? "/");
    return this.#outward(await this.#backend.ls(this.#into(directory), ...this.#page(rest)));
  }
  async read(path: string, ...rest: [number?, number?, CallOptions?]) {
    return this.#outward(await this.#backend.read(this.#into(path), ...rest));
  }
  async readRaw(path: string, ...rest: [CallOptions?]) {
    return this.#outward(await this.#backend.readRaw(this.#into(path), ...rest));
  }
  async write(path: string, content: string, ...rest: [WriteOptions?]) {
    return this.#outward(await this.#backend.write(this.#into(path), content, ...rest));
  }
  async edit(path: string, old: string, to: string, ...rest: [boolean?, MutationOptions?]) {
    return this.#outward(await this.#backend.edit(this.#into(path), old, to, ...rest));
  }
  async glob(pattern: string, path?: string, ...rest: [PageOptions?]) {
    return this.#outward(
      await this.#backend.glob(
        this.#pattern(pattern),
        this.#into(path ?? "/"),
        ...this.#page(rest),
      ),
    );
  }
  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    ...rest: [(number | null)?, GrepOptions?]
  ) {
    const filter = typeof glob === "string" ? this.#pattern(glob) : glob;
    return this.#outward(
      await this.#backend.grep(pattern, this.#into(path ?? "/"), filter, ...rest),
    );
  }
  async delete(path: string, ...rest: [MutationOptions?]) {
    return this.#outward(await called(this.#backend.delete?.(this.#into(path), ...rest)));
  }
  async multiEdit(path: string, edits: readonly EditOperation[], ...rest: [MutationOptions?]) {
    return this.#outward(await called(this.#backend.multiEdit?.(this.#into(path), edits, ...rest)));
  }
  async move(from: string, to: string, ...rest: [TransferOptions?]) {
    return this.#outward(
      await called(this.#backend.move?.(this.#into(from), this.#into(to), ...rest)),
    );
  }
  async copy(from: string, to: string, ...rest: [TransferOptions?]) {
    return this.#outward(
      await called(this.#backend.copy?.(this.#into(from), this.#into(to), ...rest)),
    );
  }
  async uploadFiles(files: UploadFile[], ...rest: [CallOptions?]) {
    const routed = Array.isArray(files) ? files.map((item) => this.#item(item)) : files;
    const answers = await called(this.#backend.uploadFiles?.(routed, ...rest));
    return answers.map((answer) => this.#outward(answer));
  }
  async downloadFiles(paths: string[], ...rest: [CallOptions?]) {
    const routed = Array.isArray(paths) ? paths.map((path) => this.#into(path)) : paths;
    const answers = await called(this.#backend.downloadFiles?.(routed, ...rest));
    return answers.map((answer) => this.#outward(answer));
  }

  #item(item: UploadFile): UploadFile {
    if (!Array.isArray(item)) return item;
    const [path, ...rest] = item;
    return [this.#into(path), ...rest];
  }

  // A page begins after a path, which lies in the route as well.
  #page(rest: readonly [PageOptions?]): [PageOptions?] {
    const [options] = rest;
    const after = options?.after;
    return after === undefined ? [...rest] : [{ ...options, after: this.#into(after) }];
  }

  // What is no absolute path stays as wrong as it is.
  #into(path: string): string {
    return typeof path === "string" && path.startsWith("/") ? this.#route + path : path;
  }

  #pattern(pattern: string): string {
    return this.#into(pattern);
  }

  #outward<T extends object>(result: T): T {
    const moved = { ...(result as Record<string, unknown>) };
    const { error } = moved;
    if (typeof error === "string") moved["error"] = error.replaceAll(`${this.#route}/`, "/");
    if ("nextAfter" in moved) moved["nextAfter"] = this.#outOf(moved["nextAfter"]);
    if ("path" in moved) moved["path"] = this.#outOf(moved["path"]);
    for (const list of ["files", "matches"]) {
      const entries = moved[list];
      if (Array.isArray(entries))
        moved[list] = entries.map((entry: { path: string }) => ({
          ...entry,
          path: this.#outOf(entry.path),
        }));
    }
    return moved as T;
  }

  // A path that lies elsewhere is left, so that the case sees it.
  #outOf(path: unknown): unknown {
    if (typeof path !== "string" || !path.startsWith(`${this.#route}/`)) return path;
    return path.slice(this.#route.length);
  }
}

async function called<T>(result: T | Promise<T> | undefined): Promise<T> {
  if (result === undefined) throw new TypeError("The method is absent.");
  return result;
}
