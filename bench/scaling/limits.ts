// Computes from measured costs how much gateways and one PostgreSQL could do with a core each. Nothing here is measured.

export interface Costs {
  /** µs of a gateway's processor time. */
  query: number;
  webhook: number;
  delivery: number;
  /** How long a gateway takes to hear of an event that another one got. */
  heard: number;
  /** µs of PostgreSQL's processor time for a webhook. */
  databaseWebhook: number;
}

export interface Demand {
  callsADay: number;
  viewers: number;
  /** The queries of each viewer. */
  queriesAMinute: number;
}

/** The busiest second has this many times the calls of the day's mean. */
export const PEAK = 4;
/** The part of its core that a gateway may use in the busiest second. */
export const USED = 0.5;
const DAY_S = 86_400;
const MOST_GATEWAYS = 1000;

export interface Need {
  /** Infinite if even that many could not hear all events. */
  gateways: number;
  webhooksPerSecond: number;
  deliveriesPerSecond: number;
  /** Cores of all gateways together, and of PostgreSQL. */
  gatewayCores: number;
  databaseCores: number;
}

/** In the busiest second, if every viewer is subscribed to every call. Each gateway hears every event. */
export function needOf({ callsADay, viewers, queriesAMinute }: Demand, costs: Costs): Need {
  const webhooksPerSecond = (callsADay / DAY_S) * PEAK;
  const deliveriesPerSecond = webhooksPerSecond * viewers;
  const queriesPerSecond = (viewers * queriesAMinute) / 60;
  const shared =
    webhooksPerSecond * costs.webhook + deliveriesPerSecond * costs.delivery + queriesPerSecond * costs.query;
  const coresOf = (gateways: number) => (shared + (gateways - 1) * webhooksPerSecond * costs.heard) / 1e6;
  let gateways = 1;
  while (coresOf(gateways) > gateways * USED && gateways < MOST_GATEWAYS) gateways += 1;
  return {
    gateways: gateways < MOST_GATEWAYS ? gateways : Infinity,
    webhooksPerSecond,
    deliveriesPerSecond,
    gatewayCores: coresOf(gateways),
    databaseCores: (webhooksPerSecond * costs.databaseWebhook) / 1e6,
  };
}
