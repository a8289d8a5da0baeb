/**
 * Races of relocations, with an oracle of their own.
 *
 * @module
 */
export { runCampaign, type Campaign } from "./campaign.js";
export { seededRandom } from "./random.js";
export { runRound, type Ends, type RoundOptions } from "./round.js";
