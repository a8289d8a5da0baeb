import { StateBackend } from "@fs/state";

// Also outside a running graph a missing file is an error result, not an exception.
const backend = new StateBackend();
const { error } = await backend.read("/missing.txt");
if (error === undefined) throw new Error("expected an error for a missing file");
