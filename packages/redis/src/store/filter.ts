import { isDeepStrictEqual } from "node:util";

/** A condition on the fields of a value: equality, or operators such as `{ $gt: 3 }`. All must hold. */
export type Filter = Readonly<Record<string, unknown>>;

type Test = (field: unknown) => boolean;

const OPERATORS: Readonly<Record<string, (operand: unknown) => Test>> = {
  $eq: (operand) => (field) => field === operand,
  $ne: (operand) => (field) => field !== operand,
  $gt: (operand) => (field) => Number(field) > Number(operand),
  $gte: (operand) => (field) => Number(field) >= Number(operand),
  $lt: (operand) => (field) => Number(field) < Number(operand),
  $lte: (operand) => (field) => Number(field) <= Number(operand),
  $in: (operand) => (field) => Array.isArray(operand) && operand.includes(field),
  $nin: (operand) => (field) => !Array.isArray(operand) || !operand.includes(field),
  $exists: (operand) => (field) => (field !== undefined) === (operand === true),
};

/**
 * Compiles a filter as InMemoryStore reads it, with `$exists` and plain objects by containment as in PostgresStore.
 *
 * @throws TypeError for an operator that does not exist.
 */
export function compileFilter(filter: Filter): (value: Record<string, unknown>) => boolean {
  const tests = Object.entries(filter).map(([name, condition]) => {
    const test = compileCondition(condition);
    return (value: Record<string, unknown>) =>
      test(Object.hasOwn(value, name) ? value[name] : undefined);
  });
  return (value) => tests.every((test) => test(value));
}

/**
 * Texts that the JSON of every matching value holds, so that the server can leave out most others. Sound because values are
 * stored as `JSON.stringify` writes them: a field that equals a primitive stands there as `"name":value`.
 */
export function necessaryTexts(filter: Filter): string[] {
  return Object.entries(filter).flatMap(([name, condition]) => {
    const operand = isPlain(condition) ? condition["$eq"] : condition;
    const primitive = operand === null || /^(?:string|number|boolean)$/.test(typeof operand);
    return primitive ? [`${JSON.stringify(name)}:${JSON.stringify(operand)}`] : [];
  });
}

function compileCondition(condition: unknown): Test {
  if (!isPlain(condition)) {
    return Array.isArray(condition)
      ? (field) => isDeepStrictEqual(field, condition)
      : (field) => field === condition;
  }
  const names = Object.keys(condition);
  if (names.length > 0 && !names.some((name) => name.startsWith("$"))) {
    return (field) => contains(field, condition);
  }
  const tests = names.map((name) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (operator === undefined) throw new TypeError(`There is no filter operator '${name}'.`);
    return operator(condition[name]);
  });
  return (field) => tests.every((test) => test(field));
}

function contains(field: unknown, part: unknown): boolean {
  if (!isPlain(part)) return isDeepStrictEqual(field, part);
  if (!isPlain(field)) return false;
  return Object.entries(part).every(
    ([name, inner]) => Object.hasOwn(field, name) && contains(field[name], inner),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
