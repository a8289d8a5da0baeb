import { RouteView, type Harness } from "@fs/conformance";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph";
import { GraphSession } from "../../state/test/graph-session.js";

/** What a mixed backend is made of. */
export interface Parts {
  readonly checkpointer: () => BaseCheckpointSaver;
  readonly store: () => BaseStore;
}

const ROUTE = "/memories";

/** Files in the state of a running graph, and below `/memories/` in its store. */
function mixed(user: string): CompositeBackend {
  return new CompositeBackend(new StateBackend(), {
    [`${ROUTE}/`]: new StoreBackend({ namespace: ["memories", user] }),
  });
}

/** The same without `/memories/` itself in listings: the cases do not expect a directory that they did not make. */
function withoutTheRoute(backend: CompositeBackend): CompositeBackend {
  const ls: CompositeBackend["ls"] = async (...parameters) => {
    const listed = await backend.ls(...parameters);
    return listed.error
      ? listed
      : { ...listed, files: listed.files.filter(({ path }) => path !== `${ROUTE}/`) };
  };
  return new Proxy(backend, {
    get: (target, name) => {
      if (name === "ls") return ls;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** The suite on the state's side: a thread for every case, a second task as the peer, another turn as the restart. */
export function mixedInState(name: string, { checkpointer, store }: Parts): Harness {
  const sessions = new Map<string, GraphSession>();
  return {
    name: `${name}, on the side of the state`,
    create: ({ ns }) => {
      const session = new GraphSession({
        checkpointer: checkpointer(),
        store: store(),
        thread: `${name}-${ns}`,
      });
      sessions.set(ns, session);
      return { backend: session.within(withoutTheRoute(mixed(ns))), dispose: () => session.end() };
    },
    peer: ({ ns }) => ({ backend: sessionOf(sessions, ns).within(withoutTheRoute(mixed(ns)), 1) }),
    reopen: async ({ ns }) => {
      const session = sessionOf(sessions, ns);
      await session.end();
      return { backend: session.within(withoutTheRoute(mixed(ns))) };
    },
    profile: { durable: true },
  };
}

/** The suite below `/memories/`: a user for every case, whose peer and whose restart are other threads. */
export function mixedInStore(name: string, { checkpointer, store }: Parts): Harness {
  let threads = 0;
  const open = ({ ns }: { ns: string }) => {
    const session = new GraphSession({
      checkpointer: checkpointer(),
      store: store(),
      thread: `${name}-thread-${++threads}`,
    });
    return {
      backend: new RouteView(session.within(mixed(ns)), ROUTE),
      dispose: () => session.end(),
    };
  };
  return {
    name: `${name}, below the route`,
    create: open,
    peer: open,
    reopen: open,
    profile: {
      durable: true,
      collisions: "allowed",
      // A path below the route is longer by the route.
      limits: { pathBytes: 4096 - ROUTE.length },
    },
  };
}

function sessionOf(sessions: ReadonlyMap<string, GraphSession>, ns: string): GraphSession {
  const session = sessions.get(ns);
  if (session === undefined) throw new Error(`There is no session '${ns}'.`);
  return session;
}
