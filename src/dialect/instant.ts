/** An instant as RFC 3339 text in UTC with milliseconds, `2026-11-20T09:30:00.000Z`: such texts sort by time. */
export type Instant = string;

export function instantOf(epochMs: number): Instant {
  return new Date(epochMs).toISOString();
}
