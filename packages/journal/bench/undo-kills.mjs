// Turns and their undo, killed at every step: node packages/journal/bench/undo-kills.mjs [disk|postgres] [trials]
import { runCampaign } from "../../changes/test/kills/campaign.mjs";
import { planOf, undoTrials } from "../test/kills/undo-trial.mjs";

/** The tables of files and of the journal. */
async function setUp(url) {
  const { PostgresBackend } = await import("@fs/postgres");
  const { postgresJournal } = await import("@fs/journal/postgres");
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: url });
  await new PostgresBackend({ client: pool }).setup();
  await postgresJournal({ client: pool }).setup();
  await pool.end();
}

await runCampaign("a turn and its undo", undoTrials, planOf, setUp);
