import { isDeepStrictEqual } from "node:util";
import { DeltaValue, ReducedValue, StateSchema } from "@langchain/langgraph";
import { schemaMetaRegistry } from "@langchain/langgraph/zod";
import { isRecord } from "../messages/record.js";
import { writesBetween } from "./difference.js";

type Fold = (current: unknown, write: unknown) => unknown;

/** The fields of a state that merge what several writers give them, by name. */
export type MergingFields = ReadonlyMap<string, Fold>;

/** Fields that are never handed over: each agent has its own, or they are shared in another way. */
const OWN: ReadonlySet<string> = new Set(["messages", "files", "todos", "structuredResponse"]);

/** The merging fields that these schemas declare, private ones left out. */
export function mergingFields(schemas: readonly unknown[]): MergingFields {
  const fields = new Map<string, Fold>();
  for (const schema of schemas)
    for (const [name, field] of fieldsOf(schema)) {
      const fold = foldOf(field);
      if (fold !== undefined && !OWN.has(name) && !name.startsWith("_") && !fields.has(name))
        fields.set(name, fold);
    }
  return fields;
}

function fieldsOf(schema: unknown): Array<[string, unknown]> {
  if (StateSchema.isInstance(schema)) return Object.entries(schema.fields);
  const shape: unknown = isRecord(schema) ? schema["shape"] : undefined;
  return isRecord(shape) ? Object.entries(shape) : [];
}

function foldOf(field: unknown): Fold | undefined {
  if (DeltaValue.isInstance(field)) {
    const { reducer } = field as { reducer: (state: unknown, writes: unknown[]) => unknown };
    return (current, write) => reducer(current, [write]);
  }
  if (ReducedValue.isInstance(field)) return field.reducer;
  const meta = schemaMetaRegistry.get(field as Parameters<typeof schemaMetaRegistry.get>[0]);
  return meta?.reducer?.fn;
}

/** What a subagent is given of its caller's state: the fields that both merge. */
export function stateIn(
  state: unknown,
  parent: MergingFields,
  child: MergingFields | undefined,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (!isRecord(state)) return given;
  for (const name of parent.keys())
    if (child?.has(name) === true && state[name] !== undefined) given[name] = state[name];
  return given;
}

/**
 * What the caller's fields have to be given so that they hold what the subagent left. A field that it did not change is left
 * out, and of the others only the difference goes back: the caller has the rest already, and others may be changing it.
 */
export function stateOut(
  given: Readonly<Record<string, unknown>>,
  result: unknown,
  parent: MergingFields,
  child: MergingFields | undefined,
): Record<string, unknown> {
  const update: Record<string, unknown> = {};
  if (!isRecord(result)) return update;
  for (const [name, fold] of parent) {
    if (child?.has(name) !== true) continue;
    const [before, after] = [given[name], result[name]];
    if (after === undefined || isDeepStrictEqual(before, after)) continue;
    const exact = writesBetween(before, after).find(
      (write) => write !== undefined && isDeepStrictEqual(folded(fold, before, write), after),
    );
    update[name] = before === undefined ? after : (exact ?? after);
  }
  return update;
}

function folded(fold: Fold, current: unknown, write: unknown): unknown {
  try {
    return fold(structuredClone(current), structuredClone(write));
  } catch (error) {
    // A reducer that does not take such a write, or a value that cannot be copied: then it is not the one looked for.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
