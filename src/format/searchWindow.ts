// Computes the range to send to the service so that it contains a period of time. The service's ends may be exclusive and have
// whole seconds. When clocks are set back, a wall-clock time means two instants, and the service may use either.
import { instantOf, type Instant } from "./instant.ts";

const SECOND = 1000;

export interface SearchWindow {
  since: Instant;
  until: Instant;
}

/** `from` and `to` are epoch milliseconds; `zone` is the IANA zone of the service's wall clock. */
export function searchWindow(from: number, to: number, zone: string): SearchWindow {
  return {
    since: instantOf((repeatedHour(from - SECOND, zone)?.start ?? from) - SECOND),
    until: instantOf(repeatedHour(to + SECOND, zone)?.end ?? to + SECOND),
  };
}

/** The stretch around a setting back of clocks in which each wall clock comes twice; null where the instant is in none. */
function repeatedHour(at: number, zone: string): { start: number; end: number } | null {
  // A millisecond later, a transition at this very instant is the previous one.
  const place = Temporal.Instant.fromEpochMilliseconds(at + 1).toZonedDateTimeISO(zone);
  for (const direction of ["previous", "next"] as const) {
    const change = place.getTimeZoneTransition(direction);
    if (!change) continue;
    const gained = change.subtract({ nanoseconds: 1 }).offsetNanoseconds - change.offsetNanoseconds;
    const [start, end] = [change.epochMilliseconds - gained / 1e6, change.epochMilliseconds + gained / 1e6];
    if (gained > 0 && at >= start && at < end) return { start, end };
  }
  return null;
}
