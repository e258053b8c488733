/** Whether a JSON value is nested beyond so many levels. Looks no deeper than that, so that no depth is too much for it. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}
