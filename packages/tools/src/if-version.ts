import type { CallOptions, MutationOptions } from "@fs/protocol";
import { z } from "zod";

/** The argument of every mutation that takes a condition. */
export const IF_VERSION = z.string().default("").describe("Version it must have");

/** The options of a mutation; an empty version is no condition. */
export function conditionOf(ifVersion: string, options: CallOptions): MutationOptions {
  return ifVersion === "" ? options : { ...options, ifVersion };
}
