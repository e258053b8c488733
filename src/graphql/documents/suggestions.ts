// Where graphql-js may look for names that resemble a wrong one ("Did you mean"). For a wrong name of a megabyte that takes 0.1 s
// in one turn of the event loop.

/** Characters of a document, and of a text or a member's name in variables; values in variables. */
const LIMITS = { document: 65_536, text: 10_000, values: 10_000 } as const;

/** For a document, whose names are short, but not its texts. */
export const canSuggestFor = (source: string): boolean => source.length <= LIMITS.document;

/** For values of variables. Uses no recursion: a value may be nested as deeply as its JSON is long. */
export function canSuggestIn(value: unknown): boolean {
  const rest = [value];
  let visited = 0;
  while (rest.length > 0) {
    const next = rest.pop();
    visited += 1;
    // Looking at a million values would hold the event loop by itself.
    if (visited + rest.length > LIMITS.values) return false;
    if (typeof next === "string" && next.length > LIMITS.text) return false;
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next) && next.length > LIMITS.values) return false;
    for (const [name, member] of Object.entries(next)) rest.push(name, member);
  }
  return true;
}
