/** What `src/text/mime-types.ts` should hold according to the installed `mime`. */
export function mimeTypesText(): string;
