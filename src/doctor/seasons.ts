// The offset half a year ago, where a call of then tells its instant: it tells apart zones that agree today.
import type { Asker } from "./gentleClient.ts";
import type { TimeField, SeenRow } from "./observed.ts";
import type { Held } from "./offsets.ts";
import { presence } from "./rangeProbe.ts";
import { isInstant } from "./timeForm.ts";

const DAY = 86_400_000;
const HALF_A_YEAR = 182 * DAY;
/** Summer time moves clocks by an hour, and on one island by half of one. */
const SHIFTS = [0, 60, -60, 30, -30].map((minutes) => minutes * 60_000);

/** @param offset the one of today. Nothing, where there was no such call, or none that a shift explains. */
export async function findSeasons(ask: Asker, field: TimeField, offset: number, now: number): Promise<Held[]> {
  const then = second(now - HALF_A_YEAR);
  const { page } = await ask.list({ range: { from: then - 10 * DAY, to: then + 10 * DAY } });
  const row = page?.rows.find(({ times }) => isInstant(times[field]));
  const at = row?.times[field].ms;
  if (!row || at == null) return [];
  const held: Held[] = [];
  for (const shift of SHIFTS) {
    const wall = second(at + offset + shift);
    if ((await isThere(ask, row, wall)) === true) held.push({ at, offset: offset + shift });
    if (held.length > 0) return held;
  }
  return held;
}

async function isThere(ask: Asker, { key }: SeenRow, wall: number) {
  return presence(await ask.list({ range: { from: wall - 1000, to: wall + 1000 } }), key);
}

const second = (ms: number) => Math.floor(ms / 1000) * 1000;
