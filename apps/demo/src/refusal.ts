import { MemoryBackend, withPermissions } from "@fs/protocol";

/** What a file behind a rule answers, and one that does not exist: the same, so that the rule gives nothing away. */
export interface Refusal {
  readonly existing: string;
  readonly missing: string;
  readonly listed: readonly string[];
}

/** Reads below a folder that a rule denies. */
export async function refuseByRule(): Promise<Refusal> {
  const files = new MemoryBackend();
  await files.write("/notes.md", "plan");
  await files.write("/secrets/key.txt", "hidden");
  const guarded = withPermissions(files, [
    { operations: ["read", "write"], paths: ["/secrets/**"], mode: "deny" },
  ]);
  const [existing, missing, listed] = [
    await guarded.read("/secrets/key.txt"),
    await guarded.read("/secrets/none.txt"),
    await guarded.grep("hidden", "/"),
  ];
  return {
    existing: existing.error ?? "",
    missing: missing.error ?? "",
    listed: listed.matches?.map(({ path }) => path) ?? [],
  };
}
