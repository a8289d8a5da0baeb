/** One call of a concurrent history, with the moments of its call and its answer on one logical clock. */
export interface Call<Op, Answer> {
  readonly client: number;
  readonly operation: Op;
  readonly answer: Answer;
  readonly calledAt: number;
  readonly answeredAt: number;
}

/** What an operation may do: every state that its answer allows, none where the answer is impossible. */
export type Step<State, Op, Answer> = (
  state: State,
  operation: Op,
  answer: Answer,
) => readonly State[];

/**
 * Looks for an order of the calls that keeps every call between its call and its answer, and in which each answer is right:
 * the search of Wing and Gong with Lowe's memory of what was tried, as Porcupine does it.
 *
 * @param keyOf Tells states apart, for the memory.
 * @returns The order, or `undefined` when there is none: the history is not linearizable.
 */
export function linearize<State, Op, Answer>(
  history: ReadonlyArray<Call<Op, Answer>>,
  initial: State,
  step: Step<State, Op, Answer>,
  keyOf: (state: State) => string,
): ReadonlyArray<Call<Op, Answer>> | undefined {
  const tried = new Set<string>();
  const search = (
    done: ReadonlySet<number>,
    state: State,
    order: ReadonlyArray<Call<Op, Answer>>,
  ): ReadonlyArray<Call<Op, Answer>> | undefined => {
    if (done.size === history.length) return order;
    const key = `${[...done].toSorted((a, b) => a - b).join()}|${keyOf(state)}`;
    if (tried.has(key)) return undefined;
    tried.add(key);
    const pending = history.map((_, index) => index).filter((index) => !done.has(index));
    const firstAnswer = Math.min(...pending.map((index) => history[index]?.answeredAt ?? Infinity));
    for (const index of pending) {
      const call = history[index];
      // A call that began after another had been answered cannot come before it.
      if (call === undefined || call.calledAt > firstAnswer) continue;
      for (const next of step(state, call.operation, call.answer)) {
        const found = search(new Set([...done, index]), next, [...order, call]);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return search(new Set(), initial, []);
}
