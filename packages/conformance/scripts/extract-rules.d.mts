/** The rules of a page of numbered rules, by number. */
export function extractRules(markdown: string): Record<string, string>;
