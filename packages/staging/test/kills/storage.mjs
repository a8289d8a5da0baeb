// Two backends of one kind, base and upper layer, each trial its own. Plain JavaScript: killed processes run it as it is.
import { FilesystemBackend } from "@fs/disk";
import { PostgresBackend } from "@fs/postgres";

/**
 * @param {{ kind: "disk", root: string } | { kind: "postgres", url: string, root: string }} where
 * @param {string} layer
 */
export function openLayer(where, layer) {
  if (where.kind === "disk") return new FilesystemBackend({ rootDir: `${where.root}/${layer}` });
  return new PostgresBackend({ connectionString: where.url, namespace: `${where.root}/${layer}` });
}

/** A backend that kills this very process at its n-th step: each call has one before and one after. */
export function killedAt(backend, counter, interceptBackend) {
  const step = () => {
    counter.steps += 1;
    if (counter.steps === counter.killAt) process.kill(process.pid, "SIGKILL");
  };
  return interceptBackend(backend, async (_, proceed) => {
    step();
    const answer = await proceed();
    step();
    return answer;
  });
}
