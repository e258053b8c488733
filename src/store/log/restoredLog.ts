// The positions that the log lost when the database was restored from a backup.
import type { Database } from "../database.ts";
import { readSetting } from "../storedSettings.ts";

export const RESTORED_AFTER = "restored_after";
export const RESTORED_THROUGH = "restored_through";

/** A cursor after `after` and before `through` names an event that was lost. Later events have positions above `through`. */
export interface LostPositions {
  after: number;
  through: number;
}

/** Null if the database was never restored. Restores of a SQLite file need a stopped gateway; on PostgreSQL an operator notes them. */
export async function readLostPositions({ db }: Pick<Database, "db">): Promise<LostPositions | null> {
  const after = await readSetting(db, RESTORED_AFTER);
  const through = await readSetting(db, RESTORED_THROUGH);
  return after === null || through === null ? null : { after: Number(after), through: Number(through) };
}
