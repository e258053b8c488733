// The common parts of odd services.
import type { OddService } from "../examine.ts";
import type { Json, Oddity } from "../service.ts";
import { MINUTE, type Call } from "../world.ts";

export type Delivers = NonNullable<Oddity["deliver"]>;

/** A service that the gateway reads rightly in spite of its oddity. */
export const right = (name: string, oddity: Oddity, more: Partial<OddService> = {}): OddService => ({
  name,
  oddity,
  affects: [],
  ...more,
});

/** As `right`, for a service that is odd in its webhooks. */
export const odd = (name: string, deliver: Delivers, more: Partial<OddService> = {}): OddService =>
  right(name, { deliver }, more);

/** Rewrites each row of the call log. */
export const writes = (change: (row: Json, call: Call) => unknown): Oddity => ({ writeCall: change });

/** Sends one delivery with changed data. */
export const sends =
  (change: (data: Json, call: Call) => Json): Delivers =>
  (body, call) => [{ ...body, event_data: change(body.event_data, call) }];

/** One of seven calls. */
export const few = ({ taskItemId, startAt }: Call): boolean => Number(taskItemId ?? startAt / MINUTE) % 7 === 0;
