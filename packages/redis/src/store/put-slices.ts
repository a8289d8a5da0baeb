import type { CommandArgument } from "../client.js";

/** Items and bytes that one script stores. */
const PUT_ITEMS_AT_ONCE = 128;
const PUT_BYTES_AT_ONCE = 1024 * 1024;

/** The arguments of as many scripts as it takes to store items, each a name, a lifetime and a text. */
export function* putSlices(items: ReadonlyArray<CommandArgument[]>): Generator<CommandArgument[]> {
  let args: CommandArgument[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = String(item[2]).length;
    const full = args.length === 3 * PUT_ITEMS_AT_ONCE || bytes + size > PUT_BYTES_AT_ONCE;
    if (args.length > 0 && full) {
      yield args;
      args = [];
      bytes = 0;
    }
    args.push(...item);
    bytes += size;
  }
  if (args.length > 0) yield args;
}
