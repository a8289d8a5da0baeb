import { setTimeout as delay } from "node:timers/promises";
import { type Filesystem, METHODS, type MethodName } from "@fs/protocol";

/** What happens to the calls on one end. */
export interface Weather {
  readonly random: () => number;
  /** Milliseconds that a call waits at most, before and after its effect. */
  readonly latencyMs: number;
  /** The call, counted from 0, at which the end crashes; later ones find it gone. `Infinity`: never. */
  readonly crashAt: number;
  /** Whether the call of the crash still takes effect, its answer being lost. */
  readonly effectOfCrash: boolean;
}

/** A backend with latency around every call, and a crash at one of them. Nothing of the backend's own is left out. */
export function throughWeather(backend: Filesystem, weather: Weather): Filesystem {
  const { random, latencyMs, crashAt, effectOfCrash } = weather;
  let calls = 0;
  const pause = (): Promise<unknown> => delay(random() * latencyMs);
  return new Proxy(backend, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (typeof name !== "string" || !(name in METHODS)) return member.bind(target);
      return async (...args: unknown[]): Promise<unknown> => {
        await pause();
        const call = calls++;
        if (call > crashAt || (call === crashAt && !effectOfCrash))
          return gone(name as MethodName, args);
        const answer: unknown = await Reflect.apply(member, target, args);
        await pause();
        return call === crashAt ? gone(name as MethodName, args) : answer;
      };
    },
  });
}

function gone(method: MethodName, args: readonly unknown[]): unknown {
  if (METHODS[method].answer !== "batch")
    return { error: "The storage is not available.", code: "unavailable" };
  const items: unknown[] = Array.isArray(args[0]) ? args[0] : [];
  return items.map((item) => ({
    path: Array.isArray(item) ? (item as unknown[])[0] : item,
    ...(method === "downloadFiles" ? { content: null } : {}),
    error: "permission_denied",
    code: "unavailable",
  }));
}
