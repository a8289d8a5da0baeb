import type * as deepagents from "deepagents";
import { expectTypeOf, test } from "vitest";
import type {
  AnyBackendProtocol,
  BackendProtocolV1,
  BackendProtocolV2,
  CompositeBackend,
  Filesystem,
  MemoryBackend,
  SandboxBackendProtocolV2,
  SandboxFilesystem,
} from "@fs/protocol";

// Both directions, against the real package: ours drop into deepagents, and its backends into ours.
test("our protocol is assignable to that of deepagents", () => {
  expectTypeOf<Filesystem>().toExtend<deepagents.BackendProtocolV2>();
  expectTypeOf<SandboxFilesystem>().toExtend<deepagents.SandboxBackendProtocolV2>();
  expectTypeOf<BackendProtocolV1>().toExtend<deepagents.BackendProtocolV1>();
  expectTypeOf<MemoryBackend>().toExtend<deepagents.AnyBackendProtocol>();
  expectTypeOf<CompositeBackend>().toExtend<deepagents.AnyBackendProtocol>();
});

test("the protocol of deepagents is assignable to ours", () => {
  expectTypeOf<deepagents.BackendProtocolV2>().toExtend<BackendProtocolV2>();
  expectTypeOf<deepagents.SandboxBackendProtocolV2>().toExtend<SandboxBackendProtocolV2>();
  expectTypeOf<deepagents.BackendProtocolV1>().toExtend<BackendProtocolV1>();
  expectTypeOf<deepagents.FilesystemBackend>().toExtend<AnyBackendProtocol>();
  expectTypeOf<deepagents.StateBackend>().toExtend<AnyBackendProtocol>();
  expectTypeOf<deepagents.StoreBackend>().toExtend<AnyBackendProtocol>();
  expectTypeOf<deepagents.CompositeBackend>().toExtend<AnyBackendProtocol>();
});
