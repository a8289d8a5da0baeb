// Commits that are killed at every step: node packages/staging/bench/commit-kills.mjs [disk|postgres] [trials]
import { runCampaign } from "../../changes/test/kills/campaign.mjs";
import { commitTrials, planOf } from "../test/kills/commit-trial.mjs";
import { layersOf } from "../test/kills/storage.mjs";

await runCampaign("a commit", commitTrials, planOf, async (url) => {
  const layers = await layersOf({ kind: "postgres", url });
  await layers.open("setup", "base").setup();
  await layers.close();
});
