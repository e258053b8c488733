// Options that name a time: an instant, or a day by the service's clock.
import { startOfDate } from "../../format/wallClock.ts";
import { UsageError } from "../options.ts";
import type { GatewayClient } from "./gatewayClient.ts";

const DAY_LENGTH = "2026-10-01".length;

/** A day begins at midnight of the service's time zone. What is no day is for the gateway to read. Throws UsageError, and as `query` does. */
export async function readTimes<Option extends string>(
  gateway: Pick<GatewayClient, "query">,
  given: Readonly<Record<Option, string | undefined>>,
): Promise<Record<Option, string | null>> {
  const { serviceTimeZone: zone } = await gateway.query<{ serviceTimeZone: string }>("{ serviceTimeZone }");
  const times = Object.entries<string | undefined>(given).map(([option, text]) => [
    option,
    text === undefined ? null : timeIn(zone, option, text),
  ]);
  return Object.fromEntries(times) as Record<Option, string | null>;
}

function timeIn(zone: string, option: string, text: string): string {
  if (text.length !== DAY_LENGTH) return text;
  try {
    return startOfDate(text, zone);
  } catch {
    throw new UsageError(`--${option} names no day of the calendar.`);
  }
}
