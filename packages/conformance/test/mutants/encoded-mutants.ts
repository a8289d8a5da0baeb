import type {
  ListQuery,
  PutCondition,
  RemoveCondition,
  VolumeEntry,
  VolumeFile,
} from "@fs/protocol/author";
import { FlatVolume } from "./flat-volume.js";
import { faultyVolume, type Mutant } from "./mutant.js";

/** A storage that writes a character in another way, and does not escape what its encoding begins with. */
class EncodingVolume extends FlatVolume {
  readonly #character: string;
  readonly #code: string;

  constructor(character: string, code: string) {
    super();
    this.#character = character;
    this.#code = code;
  }

  override get(path: string): Promise<VolumeFile | undefined> {
    return super.get(this.#encoded(path));
  }

  override put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    return super.put(this.#encoded(path), bytes, condition);
  }

  override remove(path: string, condition: RemoveCondition): Promise<boolean> {
    return super.remove(this.#encoded(path), condition);
  }

  override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    for await (const entry of super.list(this.#encoded(directory), query))
      yield { ...entry, path: entry.path.replaceAll(this.#code, this.#character) };
  }

  #encoded(path: string): string {
    return path.replaceAll(this.#character, this.#code);
  }
}

function encoding(name: string, character: string, code: string): Mutant {
  const bug = `${character} is written as ${code}, which is a name as well.`;
  const create = (): EncodingVolume => new EncodingVolume(character, code);
  return {
    ...faultyVolume(`encoded/${name}`, "P3", bug, create),
    by: "path/encoded-names",
  };
}

/** Names that are written in another way, and read back. */
export const ENCODED_MUTANTS: readonly Mutant[] = [
  encoding("colon-in-percent", ":", "%3A"),
  encoding("colon-in-lower-percent", ":", "%3a"),
  encoding("quote-of-markup", '"', "&#34;"),
  encoding("star-as-windows-has-it", "*", "\uf02a"),
  encoding("question-in-hexadecimal", "?", "\\x3f"),
];
