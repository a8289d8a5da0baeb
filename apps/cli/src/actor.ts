import { userInfo } from "node:os";
import type { Caller } from "@fs/protocol";

/** Who runs the program, for the journal; empty where the system has no name for them. */
export function callerOfProcess(): Caller {
  try {
    return { actor: userInfo().username };
  } catch (error) {
    // A user without an entry in the system's list has no name.
    if (Reflect.get(Object(error), "code") === "ERR_SYSTEM_ERROR") return {};
    throw error;
  }
}
