import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Entry } from "langsmith/schemas";
import { FaultBook, type RequestKind } from "./fault-book.js";

/** A commit of the loopback Hub. */
export interface StoredCommit {
  readonly id: string;
  readonly hash: string;
  readonly parent: string | undefined;
  readonly files: Readonly<Record<string, Entry>>;
  readonly createdAt: string;
}

interface Repository {
  readonly kind: string;
  readonly commits: StoredCommit[];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The Hub's directory API on the loopback interface, as the langsmith client speaks it. Strict where the Hub is: a parent
 * that is not the latest commit is a 409, a missing one is not checked, a key that is not the key is a 401.
 */
export class HubServer {
  readonly apiKey = "lsv2_pt_loopback_secret";
  readonly faults = new FaultBook();
  /** What every request was, in order. */
  readonly requests: RequestKind[] = [];
  /** True to refuse commits without changes, as a Hub may. */
  refusesEmptyCommits = false;
  /** Names that a commit must not hold: it is then a 422 as a whole. */
  refusedName: string | undefined;
  readonly #repositories = new Map<string, Repository>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<HubServer> {
    const hub = new HubServer();
    await new Promise<void>((resolve) => hub.#server.listen(0, "127.0.0.1", resolve));
    return hub;
  }

  get url(): string {
    const address = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  count(kind: RequestKind): number {
    return this.requests.filter((request) => request === kind).length;
  }

  /** Forgets what was counted. */
  reset(): void {
    this.requests.length = 0;
  }

  commitsOf(name: string): readonly StoredCommit[] {
    return this.#repositories.get(name)?.commits ?? [];
  }

  kindOf(name: string): string | undefined {
    return this.#repositories.get(name)?.kind;
  }

  /** The texts of the latest commit, by path. */
  textsOf(name: string): Record<string, string> {
    const files = Object.entries(this.commitsOf(name).at(-1)?.files ?? {});
    return Object.fromEntries(
      files.flatMap(([path, entry]) => (entry.type === "file" ? [[path, entry.content]] : [])),
    );
  }

  /** Commits past every client. */
  commit(name: string, files: Record<string, Entry | string | null>): void {
    const repository = this.#repositories.get(name) ?? { kind: "agent", commits: [] };
    this.#repositories.set(name, repository);
    const entries = Object.entries(files).map(([path, entry]) => [
      path,
      typeof entry === "string" ? { type: "file", content: entry } : entry,
    ]);
    append(repository, Object.fromEntries(entries));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const url = new URL(request.url ?? "/", "http://loopback");
    const kind = kindOf(request.method ?? "GET", url.pathname);
    this.requests.push(kind);
    const fault = this.faults.take(kind);
    if (fault !== undefined && "status" in fault) {
      return send(response, { status: fault.status, body: { detail: fault.body ?? "injected" } });
    }
    if (fault !== undefined && "drop" in fault && fault.drop === "before") {
      request.socket.destroy();
      return undefined;
    }
    if (fault !== undefined && "hang" in fault && fault.hang === "before") return undefined;
    if (fault !== undefined && "until" in fault) {
      fault.arrived();
      await fault.until;
    }
    const authorised = request.headers["x-api-key"] === this.apiKey;
    const answer = authorised
      ? this.#answer(kind, url, body)
      : { status: 401, body: { detail: `Invalid key ${String(request.headers["x-api-key"])}` } };
    if (fault !== undefined && "hang" in fault) return undefined;
    if (fault !== undefined && "drop" in fault) {
      if (fault.drop === "half") response.write('{"commit_id": "');
      request.socket.destroy();
      return undefined;
    }
    return send(response, answer);
  }

  #answer(kind: RequestKind, url: URL, body: Record<string, unknown>): Answer {
    if (kind === "settings") {
      return ok({ id: "workspace-1", tenant_handle: "acme", display_name: "Acme", created_at: "" });
    }
    if (kind === "create") {
      return this.#create(String(body["repo_handle"]), String(body["repo_type"]));
    }
    const name = decodeURIComponent(NAME.exec(url.pathname)?.[1] ?? "");
    const repository = this.#repositories.get(name);
    if (repository === undefined) return { status: 404, body: { detail: "Not found" } };
    if (kind === "repo") return ok({ repo: { repo_handle: name } });
    if (kind === "pull") return pull(repository, url.searchParams);
    if (kind === "commit") return this.#commit(repository, body);
    if (kind === "history") return history(repository, url.searchParams);
    return { status: 405, body: { detail: "Method not allowed" } };
  }

  #create(name: string, kind: string): Answer {
    if (this.#repositories.has(name)) return { status: 409, body: { detail: "exists" } };
    this.#repositories.set(name, { kind, commits: [] });
    return { status: 201, body: { repo: { repo_handle: name } } };
  }

  #commit(repository: Repository, body: Record<string, unknown>): Answer {
    const files = (body["files"] ?? {}) as Record<string, Entry | null>;
    const parent = body["parent_commit"];
    const head = repository.commits.at(-1)?.hash;
    if (parent !== undefined) {
      if (typeof parent !== "string" || parent.length < 8 || parent.length > 64) {
        return { status: 422, body: { detail: "parent_commit must be 8-64 characters" } };
      }
      if (head?.startsWith(parent) !== true) {
        return { status: 409, body: { detail: "parent_commit is not the latest commit" } };
      }
    }
    const empty = Object.keys(files).length === 0;
    if (
      (empty && this.refusesEmptyCommits) ||
      Object.keys(files).some((n) => n === this.refusedName)
    ) {
      return { status: 422, body: { detail: "files are not acceptable" } };
    }
    const commit = append(repository, files);
    const { id, hash, createdAt } = commit;
    return { status: 201, body: { commit: { id, commit_hash: hash, created_at: createdAt } } };
  }
}

const NAME = /\/(?:repos|commits)\/[^/]+\/([^/]+)/;

function kindOf(method: string, path: string): RequestKind {
  const route = `${method} ${path}`;
  if (route === "GET /settings") return "settings";
  if (route === "POST /repos/") return "create";
  if (/^GET \/v1\/platform\/hub\/repos\/[^/]+\/[^/]+\/directories$/.test(route)) return "pull";
  if (/^POST \/v1\/platform\/hub\/repos\/[^/]+\/[^/]+\/directories\/commits$/.test(route)) {
    return "commit";
  }
  if (/^GET \/repos\/[^/]+\/[^/]+$/.test(route)) return "repo";
  if (/^GET \/commits\/[^/]+\/[^/]+\/$/.test(route)) return "history";
  return "other";
}

function append(repository: Repository, changes: Record<string, Entry | null>): StoredCommit {
  const before = repository.commits.at(-1);
  const merged: Record<string, Entry | null> = { ...before?.files, ...changes };
  const files = Object.fromEntries(
    Object.entries(merged).filter((item): item is [string, Entry] => item[1] !== null),
  );
  // Addressed by content, as the Hub's commits are; what the parent holds is in its own hash.
  const content = JSON.stringify([before?.hash, changes]);
  const commit: StoredCommit = {
    id: randomUUID(),
    hash: createHash("sha256").update(content).digest("hex"),
    parent: before?.hash,
    files,
    createdAt: new Date().toISOString(),
  };
  repository.commits.push(commit);
  return commit;
}

function pull({ kind, commits }: Repository, query: URLSearchParams): Answer {
  if (query.get("repo_type") !== kind) return { status: 404, body: { detail: "Not found" } };
  const version = query.get("commit");
  const commit =
    version === null ? commits.at(-1) : commits.find(({ hash }) => hash.startsWith(version));
  if (commit === undefined) return { status: 404, body: { detail: "Commit not found" } };
  return ok({ commit_id: commit.id, commit_hash: commit.hash, files: commit.files });
}

function history({ commits }: Repository, query: URLSearchParams): Answer {
  const offset = Number(query.get("offset") ?? 0);
  const limit = Number(query.get("limit") ?? 20);
  const page = commits.toReversed().slice(offset, offset + limit);
  const listed = page.map(({ hash, parent, createdAt }) => ({
    commit_hash: hash,
    parent_commit_hash: parent ?? null,
    created_at: createdAt,
  }));
  return ok({ commits: listed, total: commits.length });
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
