export type { Fault, RequestKind } from "./hub/fault-book.js";
export { HubServer, type StoredCommit } from "./hub/hub-server.js";
