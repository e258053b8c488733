// A sum over a row of the log: what a disk made of it since is told, and never served. CRC-32, for it is to find damage, of
// which it misses one in four billion, and costs less than reading the row; it is no seal against whoever writes the file.
import { crc32 } from "node:zlib";
import type { Insertable } from "kysely";
import type { EventsTable } from "../tables.ts";

export type SummedRow = Omit<Insertable<EventsTable>, "newest" | "checksum"> & { seq: number };

/** Its place, and every column that is read or filtered by; not `newest`, which later revisions change. */
export function checksumOf(row: SummedRow): number {
  return crc32(
    JSON.stringify([
      row.seq,
      row.session_id,
      row.revision,
      row.source,
      row.delivery_sha256,
      row.received_at,
      row.ended_at,
      row.direction,
      row.hangup_side,
      row.hangup_reason,
      row.answered,
      row.duration,
      row.billsec,
      row.task_id,
      row.caller,
      row.callee,
      row.data,
    ]),
  );
}
