// Finds the breaking changes that the changelog names.

/** A change that breaks users. `name`: what the changelog must name in backticks. */
export interface Break {
  name: string;
  /** A sentence without its full stop. */
  change: string;
}

const ENTRY = /^- Breaking: .+(?:\n {2}.+)*/gm;

/** The entries under "Unreleased" that begin with "Breaking:". */
export function breakingEntries(changelog: string): readonly string[] {
  const [, unreleased = ""] = /^## Unreleased$([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? [];
  return unreleased.match(ENTRY) ?? [];
}

/** The breaks that no entry names. */
export function unnamedIn(entries: readonly string[], breaks: readonly Break[]): Break[] {
  return breaks.filter(({ name }) => !entries.some((entry) => entry.includes(`\`${name}\``)));
}
