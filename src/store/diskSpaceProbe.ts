// Remembers whether the disk is full. A failed write reports a full disk; the probe then tries a write that is larger than a
// webhook, and the disk counts as full until that write succeeds.
import { sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface DiskSpaceProbe {
  /** Call it when a write failed because the disk is full. */
  reportFull(): void;
  /** False while the disk is full. Never rejects. */
  hasDiskSpace(): Promise<boolean>;
}

const PROBE_BYTES = 512 * 1024;
const PROBE_SETTING = "room";

export function createDiskSpaceProbe(db: Kysely<Tables>): DiskSpaceProbe {
  let isFull = false;
  let probe: Promise<boolean> | null = null;

  async function tryWrite(): Promise<boolean> {
    try {
      const value = "-".repeat(PROBE_BYTES);
      await sql`insert or replace into settings (name, value) values (${PROBE_SETTING}, ${value})`.execute(db);
      isFull = false;
      await db.deleteFrom("settings").where("name", "=", PROBE_SETTING).execute();
    } catch {
      // isFull stays true, or reportFull was called again.
    }
    return !isFull;
  }
  return {
    reportFull: () => {
      isFull = true;
    },
    async hasDiskSpace() {
      if (!isFull) return true;
      probe ??= tryWrite().finally(() => {
        probe = null;
      });
      return probe;
    },
  };
}
