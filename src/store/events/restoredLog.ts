// The positions that the log lost when the database was restored from a backup, or when a failover lost its last commits.
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export const RESTORED_AFTER = "restored_after";
export const RESTORED_THROUGH = "restored_through";
export const LOST_EVENTS = "lost_events";
export const LOST_AT = "lost_at";

/** A cursor after `after` and before `through` names an event that was lost. Later events have positions above `through`. */
export interface LostPositions {
  after: number;
  through: number;
  /** The entries that a failover lost, as far as a gateway knows: at least so many. */
  events: number;
  /** When a gateway noticed the failover. Null: an operator restored the database. */
  noticedAt: string | null;
}

/** Null if the database was never restored and never failed over. */
export async function readLostPositions({ db }: { db: Kysely<Tables> }): Promise<LostPositions | null> {
  const names = [RESTORED_AFTER, RESTORED_THROUGH, LOST_EVENTS, LOST_AT];
  const rows = await db.selectFrom("settings").selectAll().where("name", "in", names).execute();
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  const after = settings.get(RESTORED_AFTER);
  const through = settings.get(RESTORED_THROUGH);
  if (after === undefined || through === undefined) return null;
  return {
    after: Number(after),
    through: Number(through),
    events: Number(settings.get(LOST_EVENTS) ?? 0),
    noticedAt: settings.get(LOST_AT) ?? null,
  };
}
