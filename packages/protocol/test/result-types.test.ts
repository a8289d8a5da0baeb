import {
  type BackendProtocolV2,
  interceptBackend,
  MemoryBackend,
  readOnly,
  type SandboxBackendProtocolV2,
  withAudit,
  withPolicy,
  withTracing,
} from "@fs/protocol";
import { expect, expectTypeOf, test } from "vitest";

test("after a look at 'error' the compiler knows the data", async () => {
  const files = new MemoryBackend();
  await files.write("/a", "one");
  const read = await files.read("/a");
  if (read.error !== undefined) throw new Error(read.error);
  expectTypeOf(read.content).toEqualTypeOf<string | Uint8Array>();
  const listed = await files.ls("/");
  if (listed.error) throw new Error(listed.error);
  expectTypeOf(listed.files).not.toExtend<undefined>();
  const found = await files.grep("one");
  if (found.error) throw new Error(found.error);
  expect([read.content, listed.files.length, found.matches.length]).toEqual(["one", 1, 1]);
});

test("what a wrapper gives has the methods of what it wraps", () => {
  const memory = new MemoryBackend();
  for (const wrapped of [
    interceptBackend(memory, (_, proceed) => proceed()),
    withTracing(memory),
    withPolicy(memory, {}),
    withAudit(memory, () => undefined),
    readOnly(memory),
  ]) {
    expectTypeOf(wrapped.delete).toBeFunction();
    expectTypeOf(wrapped.uploadFiles).toBeFunction();
    expect(typeof wrapped.delete).toBe("function");
  }
  type Shell = BackendProtocolV2 & Pick<SandboxBackendProtocolV2, "execute" | "id">;
  expectTypeOf(withTracing<Shell>)
    .returns.toHaveProperty("execute")
    .toBeFunction();
});
