import { setImmediate as turn } from "node:timers/promises";
import { type Filesystem, interceptBackend } from "@fs/protocol";

/** What a change came to. */
export type Answer = { readonly error?: string | null; readonly code?: string };

/** A client whose calls of its storages can be held back from one of them on. */
export class StoppingClient {
  #left = Infinity;
  #held: Array<() => void> = [];
  #stopped: () => void = () => undefined;

  /** A storage as this client calls it. */
  through(storage: Filesystem): Filesystem {
    return interceptBackend(storage, async (_call, proceed) => {
      if (--this.#left <= 0)
        await new Promise<void>((go) => {
          this.#held.push(go);
          this.#stopped();
        });
      return proceed();
    });
  }

  /** Begins a change, and waits until its n-th call of a storage is held back or it is over. */
  async begin(n: number, change: () => Promise<Answer>): Promise<Begun> {
    this.#left = n;
    const stopped = new Promise<boolean>((resolve) => {
      this.#stopped = () => resolve(true);
    });
    const answer = change();
    const held = await Promise.race([stopped, answer.then(() => false)]);
    // What it does beside the call that is held back comes to an end.
    await turn();
    return { held, answer };
  }

  /** Lets all go on. */
  go(): void {
    this.#left = Infinity;
    for (const go of this.#held.splice(0)) go();
  }
}

/** A change that is under way, or over. */
interface Begun {
  readonly held: boolean;
  readonly answer: Promise<Answer>;
}

/**
 * Runs two changes in every order with two switches: the first until its n-th call of a storage, the second whole, and the first to its
 * end. With `thrice` also in every order with three: the second until its m-th call, the first to its end, and the second to its end.
 * Returns how many orders there were.
 */
export async function everyOrder(
  thrice: boolean,
  make: () => Promise<Meeting>,
  check: (answers: readonly [Answer, Answer], meeting: Meeting, when: string) => Promise<void>,
): Promise<number> {
  for (let orders = 0, n = 1; ; n++)
    for (let m = thrice ? 1 : Infinity, cut = true; cut; m++) {
      const meeting = await make();
      const { first, second } = meeting;
      const one = await first.client.begin(n, first.change);
      if (!one.held) return orders;
      const other = await second.client.begin(m, second.change);
      cut = other.held;
      first.client.go();
      const answer = await one.answer;
      second.client.go();
      await check([answer, await other.answer], meeting, `stopped at calls ${n} and ${m}`);
      orders++;
    }
}

/** Two clients of the same storages, and what each is about to do. */
export interface Meeting {
  readonly first: { readonly client: StoppingClient; readonly change: () => Promise<Answer> };
  readonly second: { readonly client: StoppingClient; readonly change: () => Promise<Answer> };
  /** A third one, which sees what is there. */
  readonly witness: Filesystem;
}
