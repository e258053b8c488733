// Remembers whether writes fail, because reads may go on: on a full disk, without the right to write, or while a standby does not
// confirm commits. After a failed write the database counts as not writable until the probe has written more than a webhook.
import { randomBytes } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface WriteProbe {
  /** Call it when a write failed, and not because of what was written. */
  reportFailure(): void;
  /** False while writes fail. Never rejects. */
  canWrite(): Promise<boolean>;
}

const PROBE_BYTES = 512 * 1024;
const PROBE_SETTING = "room";
/** A database does not compress it, so that it takes its room on the disk. */
const probeText = () => randomBytes((PROBE_BYTES / 4) * 3).toString("base64");

export function createWriteProbe(db: Kysely<Tables>): WriteProbe {
  let isFailing = false;
  let probe: Promise<boolean> | null = null;

  async function tryWrite(): Promise<boolean> {
    try {
      await sql`insert into settings (name, value) values (${PROBE_SETTING}, ${probeText()})
        on conflict (name) do update set value = excluded.value`.execute(db);
      isFailing = false;
      await db.deleteFrom("settings").where("name", "=", PROBE_SETTING).execute();
    } catch {
      // isFailing stays true, or reportFailure was called again.
    }
    return !isFailing;
  }
  return {
    reportFailure: () => {
      isFailing = true;
    },
    async canWrite() {
      if (!isFailing) return true;
      probe ??= tryWrite().finally(() => {
        probe = null;
      });
      return probe;
    },
  };
}
