import type { CallOptions, ForeignTransfer, UploadFile } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";

type Call<M extends keyof VolumeBackend> = VolumeBackend[M] extends (...call: infer A) => unknown
  ? A
  : never;
type Answer<M extends keyof VolumeBackend> = VolumeBackend[M] extends (...call: never) => infer R
  ? R
  : never;

/** A file of a batch as a subclass may answer it: our own response, or that of `deepagents`. */
type TransferredFile = ForeignTransfer & { content: Uint8Array | null };

/**
 * {@link VolumeBackend} for subclasses that move files by `uploadFiles` and `downloadFiles` of their own, as those written
 * for `deepagents` do: the two answer as loosely as such a class may, everything else is as strict as ever. Each is a method,
 * so that a subclass may override it.
 */
export interface TransferringBackend extends AsyncDisposable {
  readonly semantics: VolumeBackend["semantics"];
  readonly features: VolumeBackend["features"];
  withoutHooks(...call: Call<"withoutHooks">): Answer<"withoutHooks">;
  ls(...call: Call<"ls">): Answer<"ls">;
  stat(...call: Call<"stat">): Answer<"stat">;
  read(...call: Call<"read">): Answer<"read">;
  readRaw(...call: Call<"readRaw">): Answer<"readRaw">;
  write(...call: Call<"write">): Answer<"write">;
  edit(...call: Call<"edit">): Answer<"edit">;
  multiEdit(...call: Call<"multiEdit">): Answer<"multiEdit">;
  delete(...call: Call<"delete">): Answer<"delete">;
  move(...call: Call<"move">): Answer<"move">;
  copy(...call: Call<"copy">): Answer<"copy">;
  glob(...call: Call<"glob">): Answer<"glob">;
  grep(...call: Call<"grep">): Answer<"grep">;
  uploadFiles(files: UploadFile[], options?: CallOptions): Promise<ForeignTransfer[]>;
  downloadFiles(paths: string[], options?: CallOptions): Promise<TransferredFile[]>;
  close(...call: Call<"close">): Answer<"close">;
}

/** The class itself, under that type. */
export const TransferringBackend = VolumeBackend as unknown as new (
  ...options: ConstructorParameters<typeof VolumeBackend>
) => TransferringBackend;
