// Kills two gateways in turns, and their PostgreSQL, while destinations deliver. Each receiver must have taken each event of the log, in its
// order where the destination is strict. An event that came with two ids counts as doubled.
import { differingIds, killDestinations, takenFirst } from "../../test/durability/destinations.ts";
import { countEvents, countOrderedEvents, sumCounts, type EventCounts } from "./eventCounts.ts";

export async function killReceivedGateways(kills: number): Promise<EventCounts> {
  const result = await killDestinations({ kills, events: 100 });
  const counts: EventCounts[] = [countEvents(result.acknowledged, result.stored)];
  for (const [name, arrived] of result.arrivals) {
    const count = name.endsWith("strict") ? countOrderedEvents : countEvents;
    const taken = takenFirst(arrived);
    const repeats = arrived.length - new Set(arrived.map(({ sessionId }) => sessionId)).size;
    const refused = arrived.filter(({ isTaken }) => !isTaken).length;
    console.log(
      `  ${name}: ${taken.length} events, ${repeats} repeats with the same id, of them ${refused} after a failure`,
    );
    counts.push({ ...count(result.stored, taken), twice: differingIds(arrived).length });
  }
  console.log(`  ${kills} kills of a gateway, ${result.postgresKills} of PostgreSQL`);
  return sumCounts(counts);
}
