import { StateBackend } from "@fs/state";

// Outside a running graph there is no state: an error result, not an exception.
const backend = new StateBackend();
const { error } = await backend.read("/a.txt");
if (error === undefined) throw new Error("expected an error outside a graph");
