// A call log that changes: rows are added and removed between two pages, or between two requests, in any order.
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { onceByKey } from "../../src/loaders/keyedLoader.ts";
import { callLogs } from "../../src/resolvers/callLogs.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLog, world } from "./world.ts";

export const orders = {
  newest: (time: number) => -time,
  oldest: (time: number) => time,
  none: (_: number, count: number) => createHash("md5").update(String(count)).digest().readUInt32BE(),
};
export type Order = keyof typeof orders;

/** `at` is the place of the row, from 0 to 1, in a list that is ordered by time. */
export type Move = { insert: number; hasSession: boolean } | { remove: number };

const at = fc.double({ min: 0, max: 1, noNaN: true });
export const inserts = fc.record({ insert: at, hasSession: fc.boolean() });
export const removals = fc.record({ remove: at });
export const moves = fc.oneof(inserts, removals);

export interface MovingList {
  rows: () => CallLogRecord[];
  move: (moves: readonly Move[]) => void;
  /** One page of the connection, with its own loaders. */
  page: (first: number, after: string | null) => ReturnType<typeof callLogs>;
  /** Requests to the service so far. */
  asked: CallLogQuery[];
}

/** `beforeRequest` may change the list; `most` is the service's largest page. */
export function movingList(length: number, order: Order, most = 100, beforeRequest = () => {}): MovingList {
  let count = 0;
  /** In the service's order. */
  const list: { place: number; row: CallLogRecord }[] = [];
  const asked: CallLogQuery[] = [];
  const add = (time: number, hasSession: boolean) => {
    count += 1;
    const place = orders[order](time, count);
    const behind = list.findIndex((each) => each.place > place);
    const row = callLog({ sessionId: hasSession ? `s-${count}` : null, billsec: count });
    list.splice(behind === -1 ? list.length : behind, 0, { place, row });
  };
  for (let index = 0; index < length; index++) add(index / length, index % 5 > 0);

  async function answer(query: CallLogQuery): Promise<CallLogPage> {
    beforeRequest();
    asked.push(query);
    const pageSize = Math.min(query.pageSize, most);
    const start = (query.pageIndex - 1) * pageSize;
    const rows = list.slice(start, start + pageSize).map(({ row }) => row);
    return { rows, total: list.length, pageIndex: query.pageIndex, pageSize };
  }
  return {
    rows: () => list.map(({ row }) => row),
    asked,
    move(changes) {
      for (const move of changes) {
        if ("insert" in move) add(move.insert, move.hasSession);
        else list.splice(Math.floor(move.remove * list.length), 1);
      }
    },
    page(first, after) {
      const { context } = world();
      const loaders = { ...context.loaders, callLogs: onceByKey(answer, JSON.stringify) };
      return callLogs({ first, after }, { ...context, loaders });
    },
  };
}

/** All pages to the end, with changes between them. `drift`: whether the last page reported it. */
export async function readThrough(list: MovingList, first: number, between: readonly (readonly Move[])[]) {
  const there = new Set(list.rows().map(({ billsec }) => billsec));
  const seen: (number | null)[] = [];
  const drifts: boolean[] = [];
  let after: string | null = null;
  for (let turn = 0; turn < 200; turn++) {
    const { rows, pageInfo, driftDetected } = await list.page(first, after);
    seen.push(...rows.map(({ billsec }) => billsec));
    drifts.push(driftDetected);
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor();
    list.move(between[turn] ?? []);
    const now = new Set(list.rows().map(({ billsec }) => billsec));
    for (const row of there) if (!now.has(row)) there.delete(row);
  }
  const now = new Set(list.rows().map(({ billsec }) => billsec));
  const stayed = [...there].filter((row) => now.has(row));
  return {
    lost: stayed.filter((row) => !seen.includes(row)),
    repeated: seen.filter((row, index) => seen.indexOf(row) !== index),
    drift: drifts.at(-1) === true,
    drifts,
    pages: drifts.length,
  };
}
