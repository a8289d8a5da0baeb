import { FilesystemBackend } from "@fs/disk";
import { ContextHubBackend } from "@fs/hub";
import * as protocol from "@fs/protocol";
import { BaseSandbox, LocalShellBackend } from "@fs/shell";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import * as theirs from "deepagents";

/** What a program imports of either package. */
export type BackendPackage = Pick<
  typeof theirs,
  | "StateBackend"
  | "StoreBackend"
  | "CompositeBackend"
  | "FilesystemBackend"
  | "LocalShellBackend"
  | "BaseSandbox"
  | "ContextHubBackend"
  | "adaptBackendProtocol"
  | "adaptSandboxProtocol"
  | "isSandboxBackend"
  | "isSandboxProtocol"
  | "resolveBackend"
>;

const { CompositeBackend, adaptBackendProtocol, adaptSandboxProtocol } = protocol;
const { isSandboxBackend, isSandboxProtocol, resolveBackend } = protocol;
const ours = {
  StateBackend,
  StoreBackend,
  CompositeBackend,
  FilesystemBackend,
  LocalShellBackend,
  BaseSandbox,
  ContextHubBackend,
  adaptBackendProtocol,
  adaptSandboxProtocol,
  isSandboxBackend,
  isSandboxProtocol,
  resolveBackend,
};

/** The two that a program may import. The types are those of deepagents, for which the programs are written. */
export const PACKAGES: Readonly<Record<"ours" | "theirs", BackendPackage>> = {
  ours: ours as unknown as BackendPackage,
  theirs,
};
