import { CompositeBackend, MemoryBackend, type BackendProtocolV2 } from "@fs/protocol";
import {
  harnessOf,
  instanceOf,
  type Created,
  type Harness,
  type HarnessLike,
  type Instance,
} from "./harness.js";
import { RouteView } from "./route-view.js";

/** Where {@link behindRoute} mounts what is tested. */
const ROUTE = "/mnt/deep";

/**
 * The same harness with every backend replaced by what `wrap` makes of it: a permission layer, a cache, an overlay. What
 * passes on its own and fails here is the wrapper's fault.
 *
 * @param name Says what was done, as in `"behind a cache"`.
 */
export function wrapped<B extends BackendProtocolV2>(
  input: HarnessLike<B>,
  name: string,
  wrap: (backend: B) => BackendProtocolV2,
): Harness {
  const harness = harnessOf(input);
  const remade = ({ backend, ns, dispose }: Instance<B>): Created<BackendProtocolV2> => ({
    backend: wrap(backend),
    dispose: async () => {
      await dispose?.();
      inner.delete(ns);
    },
  });
  // `peer` and `reopen` of the inner harness are asked about the inner instance.
  const inner = new Map<string, Instance<B>>();
  const innerOf = ({ ns }: Instance): Instance<B> => {
    const found = inner.get(ns);
    if (found === undefined) throw new Error(`No instance '${ns}' is open.`);
    return found;
  };
  const { peer, reopen, around, outOfBand, meter, faults, setup, teardown, profile, ...rest } =
    harness;
  return {
    ...rest,
    name: `${harness.name} ${name}`,
    // No wrapper need pass it on: what hears past it hears too much.
    ...(profile === "probe" ? { profile } : { profile: { ...profile, watch: "offered" } }),
    ...(setup === undefined ? {} : { setup: () => setup.call(harness) }),
    ...(teardown === undefined ? {} : { teardown: () => teardown.call(harness) }),
    create: async (context) => {
      const instance = instanceOf(await harness.create(context), context.ns);
      inner.set(context.ns, instance);
      return remade(instance);
    },
    ...(peer === undefined
      ? {}
      : { peer: async (i) => remadeClient(await peer.call(harness, innerOf(i)), i.ns) }),
    ...(reopen === undefined
      ? {}
      : { reopen: async (i) => remadeClient(await reopen.call(harness, innerOf(i)), i.ns) }),
    ...(around === undefined
      ? {}
      : { around: (i, body) => around.call(harness, innerOf(i), body) }),
    ...(outOfBand === undefined ? {} : { outOfBand: (i) => outOfBand.call(harness, innerOf(i)) }),
    ...(meter === undefined ? {} : { meter: (i) => meter.call(harness, innerOf(i)) }),
    ...(faults === undefined ? {} : { faults: (i) => faults.call(harness, innerOf(i)) }),
  };

  function remadeClient(created: Created<B>, ns: string): Created<BackendProtocolV2> {
    const { backend, dispose } = instanceOf(created, ns);
    return dispose === undefined ? { backend: wrap(backend) } : { backend: wrap(backend), dispose };
  }
}

/**
 * The same harness with push-down hooks removed, for backends that have `withoutHooks()`. Both must pass: a hook may be
 * faster, and never different.
 */
export function withoutHooks<B extends BackendProtocolV2>(input: HarnessLike<B>): Harness {
  return wrapped(input, "without hooks", (backend) => {
    const make: unknown = Reflect.get(backend, "withoutHooks");
    if (typeof make !== "function") throw new Error("The backend has no 'withoutHooks'.");
    return Reflect.apply(make, backend, []) as BackendProtocolV2;
  });
}

/**
 * The same harness with every backend mounted at `/mnt/deep` of a composite and seen through that route. What passes on
 * its own and fails here is the composite's fault. Commands are the default backend's, so that `execute` is not claimed.
 */
export function behindRoute<B extends BackendProtocolV2>(input: HarnessLike<B>): Harness {
  const harness = wrapped(input, "behind a route", (backend) => {
    const composite = new CompositeBackend(new MemoryBackend(), { [`${ROUTE}/`]: backend });
    return new RouteView(composite, ROUTE);
  });
  const { profile } = harness;
  if (profile === "probe") return harness;
  // What the route itself takes of the longest path is not left for the backend.
  const pathBytes = Math.min(profile?.limits?.pathBytes ?? Infinity, 4096 - ROUTE.length);
  return {
    ...harness,
    profile: { ...profile, execute: false, limits: { ...profile?.limits, pathBytes } },
  };
}
