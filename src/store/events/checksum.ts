// A checksum over each row of the log, so that a row that the disk has damaged is reported and never served. CRC-32 misses one
// damage in four billion and costs less than reading the row. It does not protect against someone who edits the file.
import { crc32 } from "node:zlib";
import type { Insertable } from "kysely";
import type { EventsTable } from "../tables.ts";

export type ChecksummedRow = Omit<Insertable<EventsTable>, "newest" | "checksum"> & { seq: number };

/** Covers the position and every column that is read or filtered by, except `newest`, which later revisions change. */
export function checksumOf(row: ChecksummedRow): number {
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
