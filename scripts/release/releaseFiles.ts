// The files that name the version: what a release changes in them. Text in, text out.

export const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/;

/** Whether the second version comes after the first. A version with a suffix, such as 1.0.0-rc.1, comes before the one without. */
export function isNewer(from: string, to: string): boolean {
  const partsOf = (version: string) => VERSION.exec(version)?.slice(1, 4).map(Number) ?? [];
  const [one, other] = [partsOf(from), partsOf(to)];
  const at = one.findIndex((part, index) => part !== other[index]);
  if (at !== -1) return (other[at] ?? 0) > (one[at] ?? 0);
  const [before = "", after = ""] = [VERSION.exec(from)?.[4], VERSION.exec(to)?.[4]];
  if (before === "" || after === "") return before !== "" && after === "";
  return before.localeCompare(after, "en", { numeric: true }) < 0;
}

export interface VersionChange {
  from: string;
  to: string;
  /** The packages of this repository. */
  names: readonly string[];
}

/** package.json: its own version, and where it needs another package of this repository. */
export function withManifestVersion(text: string, { from, to, names }: VersionChange): string {
  const own = text.replace(`"version": "${from}"`, `"version": "${to}"`);
  return names.reduce((all, name) => all.replaceAll(`"${name}": "${from}"`, `"${name}": "${to}"`), own);
}

interface Lock {
  version: string;
  packages: Record<string, { name?: string; version?: string; link?: boolean } & Record<string, unknown>>;
}

/** package-lock.json: an install would only find what is there already (https://github.com/connectrpc/connect-es/pull/1042). */
export function withLockVersion(text: string, { from, to, names }: VersionChange): string {
  const lock = JSON.parse(text) as Lock;
  lock.version = to;
  const isOwn = ([path]: [string, unknown]) => !path.includes("node_modules/");
  for (const [, entry] of Object.entries(lock.packages).filter(isOwn)) {
    if (entry.version === from) entry.version = to;
    const kinds = ["dependencies", "devDependencies", "peerDependencies"].map((kind) => entry[kind] ?? {});
    for (const needed of kinds as Record<string, string>[])
      for (const name of names.filter((each) => needed[each] === from)) needed[name] = to;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** In these lines a version is the product's. A figure was measured with the version beside it, which stays. */
const OF_PRODUCT = /switchboard|Written for version/i;

/** A document or a file of ops/. */
export function withNamedVersion(text: string, { from, to }: VersionChange): string {
  const version = new RegExp(`(?<![\\w.])${from.replaceAll(".", String.raw`\.`)}(?![\\w]|\\.\\d)`, "g");
  return text
    .split("\n")
    .map((line) => (OF_PRODUCT.test(line) ? line.replaceAll(version, to) : line))
    .join("\n");
}

const FIRST = / Nothing has been released yet: the\s+first release is all that stands here\./;

/** CHANGELOG.md: what is unreleased becomes the version's. `date`: such as 2026-11-27. Throws where nothing is unreleased. */
export function withRelease(changelog: string, version: string, date: string): string {
  const [, entries = ""] = /^## Unreleased$([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? [];
  if (!/^- /m.test(entries)) throw new Error(`CHANGELOG.md has nothing under "Unreleased".`);
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already.`);
  return changelog.replace(FIRST, "").replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`);
}
