import { MemoryBackend, type MutationOptions } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { removeFile } from "../src/author/remove-file.js";
import { updateFile } from "../src/author/whole-file.js";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const added = (file: Uint8Array | undefined): Uint8Array =>
  text(`${file === undefined ? "" : new TextDecoder().decode(file)}+`);

/** A backend in which another call comes first, a number of times. */
class Raced extends MemoryBackend {
  rivals: string[] = [];
  calls = 0;

  async #rival(): Promise<void> {
    this.calls++;
    const content = this.rivals.shift();
    if (content !== undefined) await super.uploadFiles([["/f", text(content)]]);
  }

  override async uploadFiles(...args: Parameters<MemoryBackend["uploadFiles"]>) {
    await this.#rival();
    return super.uploadFiles(...args);
  }

  override async delete(path: string, options?: MutationOptions) {
    await this.#rival();
    return super.delete(path, options);
  }
}

describe("a change of a whole file", () => {
  test("is made again on what another call stored, also where there was no file", async () => {
    for (const rivals of [[], ["a"], ["a", "b", "c"]]) {
      const backend = new Raced();
      backend.rivals = [...rivals];
      expect(await updateFile(backend, "/f", added, {})).toMatchObject({
        version: expect.any(String),
      });
      expect((await backend.read("/f")).content).toBe(`${rivals.at(-1) ?? ""}+`);
      expect(backend.calls).toBe(rivals.length + 1);
    }
  });
});

describe("a removal of a file", () => {
  test("goes on to the version that another call stored, unless the caller named one", async () => {
    const backend = new Raced();
    await backend.write("/f", "one");
    const { version = "" } = await backend.read("/f");
    backend.rivals = ["two"];
    expect((await removeFile(backend, "/f", { ifVersion: version })).code).toBe("conflict");
    expect(backend.calls).toBe(1);
    backend.rivals = ["three"];
    expect(await removeFile(backend, "/f", {})).toEqual({ path: "/f" });
    expect((await backend.read("/f")).code).toBe("not_found");
  });

  test("is refused for a directory, which stays", async () => {
    const backend = new Raced();
    await backend.write("/d/f", "one");
    expect((await removeFile(backend, "/d", {})).code).toBe("is_directory");
    expect((await backend.read("/d/f")).content).toBe("one");
  });
});
