import { CONTENT_SITUATIONS } from "./content-situations.js";
import { NAME_SITUATIONS } from "./name-situations.js";
import { PLACE_SITUATIONS } from "./place-situations.js";
import type { Situation } from "./situation.js";

/** What the content of the file, its name and its place may be. */
export const SITUATIONS: readonly Situation[] = [
  ...CONTENT_SITUATIONS,
  ...NAME_SITUATIONS,
  ...PLACE_SITUATIONS,
];

/** The situations of methods that create: the same names, where nothing has them yet. */
export const NEW_SITUATIONS: readonly Situation[] = SITUATIONS.filter(
  ({ named }) => named === true,
).map((situation) => {
  const subject = situation.canonical ?? situation.path;
  const beside = Object.entries(situation.given).filter(([path]) => path !== subject);
  return {
    ...situation,
    id: `${situation.id}-new`,
    given: { "/d/beside.txt": "one\n", ...Object.fromEntries(beside) },
    why: `${situation.why} Nothing is there yet.`,
  };
});
