// How many notices of alerts destinations have not taken yet.
import type { AlertStore } from "../store/alerts/alertStore.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";
import { alertReaderOf } from "./alertDeliveries.ts";

export interface WaitingAlertsDeps {
  readers: Pick<ReaderStore, "cursors">;
  alerts: Pick<AlertStore, "noticesLeft">;
}

/** By the names of destinations that get alerts. One that has not begun waits for none. Throws STORE_UNAVAILABLE. */
export async function readWaitingAlerts(
  names: readonly string[],
  { readers, alerts }: WaitingAlertsDeps,
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const cursors = await readers.cursors();
  const counts = names.map(async (name) => {
    const place = cursors.get(alertReaderOf(name));
    return [name, place === undefined ? 0 : await alerts.noticesLeft(Number(place))] as const;
  });
  return new Map(await Promise.all(counts));
}
