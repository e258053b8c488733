// How calls and webhooks came in the last 24 hours, hour by hour.
import { instantOf, type Instant } from "../format/instant.ts";
import { HOUR_MS } from "../util/durations.ts";
import type { Context } from "./context.ts";

export interface GatewayHour {
  start: Instant;
  webhooks: number;
  reconciled: number;
  unreadable: number;
  meanDelaySeconds: number | null;
}

const HOURS = 24;

/** The oldest first; the last one is the hour that runs. */
export async function gatewayHours({ stats, queryOwner, clock }: Context): Promise<GatewayHour[]> {
  const first = (Math.floor(clock() / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const since = instantOf(first);
  const [arrivals, unreadable] = await Promise.all([
    stats.arrivals(queryOwner, since),
    stats.unreadable(queryOwner, since),
  ]);
  const arrivalsOf = new Map(arrivals.map((each) => [each.hour, each]));
  const unreadableOf = new Map(unreadable.map(({ hour, count }) => [hour, count]));
  return Array.from({ length: HOURS }, (_, at) => {
    const start = instantOf(first + at * HOUR_MS);
    const hour = start.slice(0, 13);
    const { webhooks = 0, reconciled = 0, meanDelay = null } = arrivalsOf.get(hour) ?? {};
    return { start, webhooks, reconciled, unreadable: unreadableOf.get(hour) ?? 0, meanDelaySeconds: meanDelay };
  });
}
