import { optionsOf } from "@fs/protocol/async";
import type { BackendProtocolV2 } from "@fs/protocol";
import { digestOf } from "@fs/protocol/records";
import { joinPath, VolumeError } from "@fs/protocol/author";

export interface ContentOptions {
  /** Where contents are kept, each under its hash: any backend that can upload and download. They are never changed. */
  readonly backend: BackendProtocolV2;
  /** The directory for them. Default `"/blobs"`. */
  readonly directory?: string;
  /** Bytes from which a file's content is kept there; smaller ones stay in the state. Default 1024. */
  readonly from?: number;
}

/** Bytes of contents that are kept in memory, so that an edit does not fetch what was just written. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Characters of base64url: 192 bits of SHA-256. */
const REFERENCE_LENGTH = 32;

/** Contents outside the state, addressed by their hash. */
export class ContentStore {
  /** Bytes from which contents belong here. */
  readonly from: number;
  readonly #upload: NonNullable<BackendProtocolV2["uploadFiles"]>;
  readonly #download: NonNullable<BackendProtocolV2["downloadFiles"]>;
  readonly #directory: string;
  readonly #cache = new Map<string, Uint8Array>();
  #cached = 0;

  /** Throws a TypeError for a backend that cannot transfer bytes. */
  constructor({ backend, directory = "/blobs", from = 1024 }: ContentOptions) {
    const { uploadFiles, downloadFiles } = backend;
    if (uploadFiles === undefined || downloadFiles === undefined)
      throw new TypeError("The backend for contents must have uploadFiles and downloadFiles.");
    this.#upload = uploadFiles.bind(backend);
    this.#download = downloadFiles.bind(backend);
    this.#directory = directory;
    this.from = from;
  }

  /** Keeps a content. Returns what finds it again. Throws `unavailable`. */
  async keep(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
    const reference = digestOf("sha256", "base64url", bytes).slice(0, REFERENCE_LENGTH);
    if (this.#cache.has(reference)) return reference;
    const [kept] = await this.#upload([[this.#pathOf(reference), bytes]], optionsOf(signal));
    if (kept?.error !== null) throw unreachable("could not be stored");
    this.#remember(reference, new Uint8Array(bytes));
    return reference;
  }

  /** A content by what {@link keep} returned. Throws `unavailable`. */
  async fetch(reference: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const known = this.#cache.get(reference);
    if (known !== undefined) return known;
    const [found] = await this.#download([this.#pathOf(reference)], optionsOf(signal));
    const bytes = found?.content;
    if (bytes === undefined || bytes === null) throw unreachable("could not be fetched");
    this.#remember(reference, bytes);
    return bytes;
  }

  #pathOf(reference: string): string {
    return joinPath(this.#directory, `${reference.slice(0, 2)}/${reference}`);
  }

  #remember(reference: string, bytes: Uint8Array): void {
    if (bytes.length > CACHE_BYTES / 4 || this.#cache.has(reference)) return;
    this.#cache.set(reference, bytes);
    this.#cached += bytes.length;
    for (const [oldest, { length }] of this.#cache) {
      if (this.#cached <= CACHE_BYTES) return;
      this.#cache.delete(oldest);
      this.#cached -= length;
    }
  }
}

function unreachable(what: string): VolumeError {
  return new VolumeError(
    "unavailable",
    `The file's content ${what}: it is kept outside the state, in the backend given as \`content\`.`,
  );
}
