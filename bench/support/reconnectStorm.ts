// A reconnect storm: all readers of a stopped gateway reconnect to the next one at once.
import { reconnectAll } from "../../test/durability/storm.ts";
import { countOrderedEvents, sumCounts, type EventCounts } from "./eventCounts.ts";

export async function reconnectStorm(readers: number): Promise<EventCounts> {
  const { recoveryMs, sessionIds, expected, errors, statuses, longestQueue } = await reconnectAll(readers);
  console.log(`\n  all were back after ${(recoveryMs / 1000).toFixed(1)} s; health was ${[...statuses].join(" and ")}`);
  console.log(`  connections that waited to be taken: ${longestQueue ?? "unknown"} at most`);
  if (errors.length > 0) throw new Error(`readers had errors: ${JSON.stringify(errors.slice(0, 3))}`);
  return sumCounts(sessionIds.map((one) => countOrderedEvents(expected, one)));
}
