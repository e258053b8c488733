// Kills the primary of two PostgreSQL servers under load, and promotes the standby. Each acknowledged webhook must be in the log of the last
// primary once, each reader must have read that log once, and each task must have been created once.
import { failOver } from "../../test/durability/failover.ts";
import { countEvents, countOrderedEvents, sumCounts, type EventCounts } from "./eventCounts.ts";

export async function failOverServers(failovers: number): Promise<EventCounts> {
  const result = await failOver({ failovers, gateways: 2, readers: 10, webhooks: 200 });
  const { acknowledged, stored, sessionIds, submitted, sent, outagesMs } = result;
  const seconds = outagesMs.map((ms) => (ms / 1000).toFixed(1)).toSorted((one, other) => Number(one) - Number(other));
  console.log(
    `  ${submitted.length} tasks submitted, ${sent.length} created; answers to webhooks: ${result.refusals.join()}`,
  );
  console.log(`  seconds from the kill to the next acknowledged webhook: ${seconds.join(" ")}`);
  return sumCounts([
    countEvents(acknowledged, stored),
    countEvents(submitted, sent),
    ...sessionIds.map((one) => countOrderedEvents(stored, one)),
  ]);
}
