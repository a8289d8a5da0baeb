// Two backends of one kind, base and upper layer, each trial its own. Plain JavaScript: killed processes run it as it is.
import { interceptBackend } from "@fs/protocol";

/**
 * What opens the layers of trials. Only the backend that is asked for is loaded, since a campaign starts many processes.
 *
 * @param {{ kind: "disk" | "postgres", url?: string }} storage
 * @returns {Promise<{ open: (root: string, layer: string) => object, close: () => Promise<void> }>}
 */
export async function layersOf({ kind, url }) {
  if (kind === "disk") {
    const { FilesystemBackend } = await import("@fs/disk");
    const open = (root, layer) => new FilesystemBackend({ rootDir: `${root}/${layer}` });
    return { open, close: async () => {} };
  }
  const [{ PostgresBackend }, { default: pg }] = await Promise.all([
    import("@fs/postgres"),
    import("pg"),
  ]);
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => undefined);
  const open = (root, layer) =>
    new PostgresBackend({ client: pool, namespace: `${root}/${layer}` });
  return { open, close: () => pool.end() };
}

/** A backend with a step before and after each call. */
export function inSteps(backend, step) {
  return interceptBackend(backend, async (_, proceed) => {
    await step();
    const answer = await proceed();
    await step();
    return answer;
  });
}
