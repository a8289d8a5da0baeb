import { ContextHubBackend, type ContextHubBackendOptions } from "@fs/hub";
import { HubServer } from "@fs/test-servers/hub";
import { ContextHubBackend as PeerBackend } from "deepagents";
import { Client } from "langsmith";
import { contentOf, fill, pathOf } from "../operations.js";
import type { Subject } from "../subject.js";

/** A repository of the Hub on the loopback interface, whose server shares the process: its own work is in every figure. */
export function hub(): Subject {
  let server: HubServer | undefined;
  let repositories = 0;
  return {
    suite: "hub",
    title: "LangSmith Hub",
    sides: {
      ours: "ContextHubBackend of @fs/hub, no wait for other changes",
      peer: "ContextHubBackend of deepagents",
      limit: "one push by the client",
    },
    clock: "wall",
    mostFiles: 10_000,
    open: async (files) => {
      server ??= await HubServer.start();
      const client = new Client({
        apiUrl: server.url,
        apiKey: server.apiKey,
        autoBatchTracing: false,
      });
      // The classes know the client's type from other copies of `langsmith`, of the same version.
      const forOurs = { client, coalesceMs: 0 } as unknown as ContextHubBackendOptions;
      const forPeer = { client } as unknown as ConstructorParameters<typeof PeerBackend>[1];
      const names = ["ours", "peer", "limit"].map((side) => `${side}-${++repositories}`);
      const [mine, theirs, bare] = names as [string, string, string];
      const of = (name: string): ContextHubBackend => new ContextHubBackend(name, forOurs);
      for (const name of names) await fill(of(name), files);
      let pushes = 0;
      const push = (): Promise<unknown> => {
        const content = contentOf(++pushes);
        return client.pushAgent(bare, {
          files: { [pathOf(0).slice(1)]: { type: "file", content } },
        });
      };
      return {
        ours: of(mine),
        peer: new PeerBackend(theirs, forPeer),
        limits: { write: push, edit: push },
        close: async () => {},
      };
    },
    stop: async () => {
      await server?.stop();
    },
  };
}
