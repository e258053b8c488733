// Whether the disk has room for what comes: it has until a write was told that it is full, and then again when one that is
// larger than a webhook was kept.
import { sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface DiskSpaceProbe {
  /** A write was told that the disk is full. */
  reportFull(): void;
  /** Whether there is room; never rejects. */
  hasSpace(): Promise<boolean>;
}

const TRIED_BYTES = 512 * 1024;
const NAME = "room";

export function createDiskSpaceProbe(db: Kysely<Tables>): DiskSpaceProbe {
  let isFull = false;
  let trying: Promise<boolean> | null = null;

  async function tryToWrite(): Promise<boolean> {
    try {
      const value = "-".repeat(TRIED_BYTES);
      await sql`insert or replace into settings (name, value) values (${NAME}, ${value})`.execute(db);
      isFull = false;
      await db.deleteFrom("settings").where("name", "=", NAME).execute();
    } catch {
      // What it was told stands in isFull: a full disk says so each time.
    }
    return !isFull;
  }
  return {
    reportFull: () => {
      isFull = true;
    },
    async hasSpace() {
      if (!isFull) return true;
      trying ??= tryToWrite().finally(() => {
        trying = null;
      });
      return trying;
    },
  };
}
