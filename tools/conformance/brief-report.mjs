// A report without most of the cases that passed, and of the others what the matrix' pages say of them.

/** Statuses of which a page gives no more than the reason. */
const BY_REASON = new Set(["not-applicable", "untested"]);

/** A page quotes less of a sentence, and of its first line alone. */
const MOST_CHARACTERS = 300;

/**
 * A report of which the cases that did not pass are put together by their reasons, with one passed case of each group: a group
 * without one is named whole. {@link inFull} makes a report of it again, of which the pages are the same.
 *
 * @param {{ cases: { id: string, rules: string[], status: string, reason?: string, failure?: { message: string } }[] }} report
 */
export function briefly({ cases, ...report }) {
  const sets = new Map();
  for (const { id, rules, status, reason, failure } of cases) {
    const [key, shared] = briefCase({ id, rules, status, reason, failure });
    const set = sets.get(key) ?? { ...shared, ids: [] };
    if (status !== "pass" || set.ids.length === 0) set.ids.push(id);
    sets.set(key, set);
  }
  const passed = [...sets.values()].filter(({ status }) => status === "pass");
  return {
    ...report,
    passed: passed.flatMap(({ ids }) => ids),
    unpassed: [...sets.values()].filter(({ status }) => status !== "pass"),
  };
}

/** @param {ReturnType<typeof briefly>} brief */
export function inFull({ passed, unpassed, ...report }) {
  const sets = [{ status: "pass", ids: passed }, ...unpassed];
  const cases = sets.flatMap(({ ids, rules = [], ...shared }) =>
    ids.map((id) => ({ id, rules, ...shared })),
  );
  return { ...report, cases };
}

/** A line for each field and each set of cases, so that a change shows what has changed. */
export function textOf({ unpassed, ...report }) {
  const fields = Object.entries(report).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  const sets = unpassed.map((set) => `    ${JSON.stringify(set)}`);
  const list = sets.length === 0 ? "[]" : `[\n${sets.join(",\n")}\n  ]`;
  return `{\n${[...fields, `  "unpassed": ${list}`].join(",\n")}\n}\n`;
}

/** What a case is put together by with others, and what they share. */
function briefCase({ id, rules, status, reason, failure }) {
  if (status === "pass") return [`${status} ${id.split("/", 1)[0]}`, { status }];
  if (BY_REASON.has(status)) return [`${status} ${reason}`, { status, reason }];
  const message = failure && { message: quotable(failure.message) };
  return [id, { status, reason: reason && quotable(reason), rules, failure: message }];
}

function quotable(text) {
  return (text.split("\n", 1)[0] ?? "").slice(0, MOST_CHARACTERS);
}
