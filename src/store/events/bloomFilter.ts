// Knows which calls are certainly not in the log, so that lists of calls are joined only with events that may exist. It is a Bloom
// filter: two bits for each call, never cleared. It works for SQLite, whose log has one writer. On PostgreSQL other gateways
// append, too, and every call may be in the log.
import { setTimeout as pause } from "node:timers/promises";
import { textHash } from "../../util/text/textHash.ts";
import type { Database } from "../database.ts";

export interface BloomFilter {
  /** Call it before an append of the call is written. */
  add(sessionId: string): void;
  /** False: the log has no entry of the call. Always true until the filter has read the whole log, which the first call starts. */
  mayContain(sessionId: string): boolean;
}

/** 4 MB. With ten million calls in the log, one call in five that is not there counts as there. */
const BIT_COUNT_LOG2 = 25;
const BATCH = 2000;
/** Reading ten million calls takes some minutes, and other queries hardly wait. */
const PAUSE_MS = 10;

export function createBloomFilter({ db, kind }: Pick<Database, "db" | "kind">): BloomFilter {
  if (kind !== "sqlite") return { add() {}, mayContain: () => true };
  const words = new Uint32Array(2 ** (BIT_COUNT_LOG2 - 5));
  let state: "empty" | "filling" | "complete" = "empty";

  function add(sessionId: string): void {
    const hash = textHash(sessionId);
    for (const bit of [firstBit(hash), secondBit(hash)]) {
      words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }
  function has(bit: number): boolean {
    return ((words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }

  /** Reads the index of the calls alone, in its order. Calls that are appended meanwhile add themselves. */
  async function fill(): Promise<void> {
    let last: string | null = null;
    for (;;) {
      const query = db.selectFrom("events").select("session_id").orderBy("session_id").limit(BATCH);
      const rows = await (last === null ? query : query.where("session_id", ">", last)).execute();
      for (const { session_id } of rows) add(session_id);
      last = rows.at(-1)?.session_id ?? null;
      if (rows.length < BATCH || last === null) break;
      await pause(PAUSE_MS, undefined, { ref: false });
    }
    state = "complete";
  }
  function startFilling(): void {
    state = "filling";
    // Until then every call may be in the log, which is never wrong. The next call of `mayContain` tries again.
    fill().catch(() => (state = "empty"));
  }

  return {
    add,
    mayContain(sessionId) {
      if (state === "empty") startFilling();
      if (state !== "complete") return true;
      const hash = textHash(sessionId);
      return has(firstBit(hash)) && has(secondBit(hash));
    },
  };
}

const firstBit = (hash: number) => hash >>> (32 - BIT_COUNT_LOG2);
const secondBit = (hash: number) => Math.imul(hash, 0x85ebca6b) >>> (32 - BIT_COUNT_LOG2);
