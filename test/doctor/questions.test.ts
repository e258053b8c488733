import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeFilter, type Verdict } from "../../src/doctor/judgeFilters.ts";
import { timeFields, type ObservedRow, type TimeField } from "../../src/doctor/observe.ts";
import type { ProbeClient } from "../../src/doctor/probeClient.ts";
import {
  offsetsAt,
  consistentOffsets,
  findOffset,
  zonesWithOffsets,
  type CallSpan,
  type RangeResult,
} from "../../src/doctor/findOffset.ts";
import { judgeRangeEnds, judgeRangeField, probeEnds, END_RANGES } from "../../src/doctor/rangeFilter.ts";
import { judgePageClamp, judgeSortOrder } from "../../src/doctor/judgeRows.ts";
import { judgeTimeZone } from "../../src/doctor/findTimeZone.ts";
import { row } from "./rows.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const offset = fc.constantFrom(...offsetsAt(NOW));

describe("consistentOffsets", () => {
  const call = fc.record({ from: fc.nat(300 * 60), lasts: fc.nat(600) });

  it("keeps the true offset for all ranges, complete or not", () => {
    const randomRanges = fc.array(
      fc.tuple(fc.integer({ min: -900, max: 1200 }), fc.integer({ min: 1, max: 900 }), fc.boolean()),
    );
    fc.assert(
      fc.property(offset, fc.array(call), randomRanges, (truth, calls, ranges) => {
        const known: CallSpan[] = calls.map(({ from, lasts }, at) => {
          const start = NOW - from * 1000;
          return { key: `${at}`, from: start, to: start + lasts * 1000 };
        });
        const windows = ranges.map(([minutes, width, isWhole]): RangeResult => {
          const range = { from: NOW + minutes * MINUTE, to: NOW + (minutes + width) * MINUTE };
          const inside = known.filter(({ from }) => from + truth >= range.from && from + truth <= range.to);
          return { range, isComplete: isWhole, rows: isWhole ? inside : inside.slice(0, 2) };
        });
        expect(consistentOffsets(offsetsAt(NOW), windows, known)).toContain(truth);
      }),
    );
  });
});

describe("findOffset", () => {
  it("asks for one offset alone after a wide range came back empty and incomplete", async () => {
    const probe = row({ id: "probe", start: 0, end: 60 });
    const candidates = offsetsAt(Date.UTC(2026, 0, 1));
    const truth = candidates[Math.floor((candidates.length - 1) / 2)] ?? 0;
    const start = Date.UTC(2026, 0, 1) + truth;
    const client: Pick<ProbeClient, "listCalls"> = {
      async listCalls({ range = { from: 0, to: 0 } }) {
        const isWide = range.to - range.from > 60 * MINUTE;
        const rows = !isWide && range.from <= start && start <= range.to ? [probe] : [];
        return { page: { rows, items: "rows", total: 1, pageSize: 100, date: null } };
      },
    };
    expect(await findOffset(client as ProbeClient, [probe])).toBe(truth);
  });
});

describe("judgeSortOrder", () => {
  const rows = fc.array(fc.record({ start: fc.nat(10_000), lasts: fc.nat(500), id: fc.uuid() }), { maxLength: 40 });
  const keys: Record<string, (call: { start: number; lasts: number; id: string }) => number | string> = {
    "startAt, newest first": ({ start }) => -start,
    "startAt, oldest first": ({ start }) => start,
    "endAt, newest first": ({ start, lasts }) => -(start + lasts),
    "sessionId, ascending": ({ id }) => id,
  };

  it.each(Object.entries(keys))("finds the order %s, or no order", (name, key) => {
    fc.assert(
      fc.property(rows, (calls) => {
        const sorted = calls.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
        const { value } = judgeSortOrder(sorted.map(({ start, lasts, id }) => row({ id, start, end: start + lasts })));
        expect([null, name]).toContain(value);
      }),
    );
  });
});

describe("judgeRangeField and judgeRangeEnds", () => {
  const ends = {
    both: [true, true],
    "startTime only": [true, false],
    "endTime only": [false, true],
    neither: [false, false],
  };
  const gaps = fc.tuple(fc.integer({ min: 3, max: 90 }), fc.integer({ min: 3, max: 900 }));

  it("find each field and each pair of ends", () => {
    const kind = fc.constantFrom(...(Object.entries(ends) as [string, [boolean, boolean]][]));
    fc.assert(
      fc.property(
        fc.constantFrom(...timeFields),
        kind,
        fc.array(gaps, { minLength: 2, maxLength: 3 }),
        (field, pair, calls) => {
          const [name, [first, last]] = pair;
          const isIn = (at: number, from: number, to: number) =>
            at >= from && at <= to && (at !== from || first) && (at !== to || last);
          const times = calls.map(([ring, talk]) => ({ startAt: 0, answerAt: ring, endAt: ring + talk }));
          const probes = times.map((time) => {
            const around = (each: TimeField) => isIn(time[field], time[each] - 1, time[each] + 1);
            return { around: { startAt: around("startAt"), answerAt: around("answerAt"), endAt: around("endAt") } };
          });
          const presences = times.map(() => END_RANGES.map(([from, to]) => isIn(0, from, to)));
          expect(judgeRangeField(probes, presences).value).toBe(field);
          expect(judgeRangeEnds(presences).value).toBe(name);
        },
      ),
    );
  });

  it.each([-1, 1])("stay undetermined for a service that filters a time %i s from the field", async (seconds) => {
    const filtered = Date.UTC(2026, 0, 1) + seconds * 1000;
    const call = row({ id: "call", start: 0, end: 60 });
    const client: Pick<ProbeClient, "listCalls"> = {
      async listCalls({ range = { from: 0, to: 0 } }) {
        const rows = range.from <= filtered && filtered <= range.to ? [call] : [];
        return { page: { rows, items: "rows", total: rows.length, pageSize: 100, date: null } };
      },
    };
    const around = { startAt: true, answerAt: null, endAt: false };
    const ends = await probeEnds(client as ProbeClient, call, "startAt", 0);
    expect(judgeRangeField([{ around }, { around }], [ends, ends])).toMatchObject({ confidence: "undetermined" });
  });

  it("stay undetermined if a time near the field is filtered", () => {
    const probes = [1, 2].map(() => ({ around: { startAt: true, answerAt: false, endAt: false } }));
    const presences = [1, 2].map(() => [true, true, false, false, false]);
    expect(judgeRangeField(probes, presences)).toMatchObject({ confidence: "undetermined" });
    expect(judgeRangeEnds(presences)).toMatchObject({ confidence: "undetermined" });
  });
});

describe("judgePageClamp", () => {
  it("finds the largest page, or nothing, whether pageSize is the used or the requested one", () => {
    const reported = fc.constantFrom("used", "requested");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(300), reported, (max, total, kind) => {
        const pages = [0, 1].map((index) => ({
          rows: Array.from({ length: Math.max(0, Math.min(max, total - index * max)) }, () => row({})),
          items: "rows" as const,
          total,
          pageSize: kind === "used" ? max : 100,
          date: null,
        }));
        expect([null, String(max)]).toContain(judgePageClamp(pages).value);
        if (total > 2 * max) expect(judgePageClamp(pages).value).toBe(String(max));
      }),
    );
  });
});

describe("judgeFilter", () => {
  it("finds the true outcome, or unknown if outcomes look alike", () => {
    const tasks = fc.array(fc.constantFrom("1", "2", "3"), { minLength: 1, maxLength: 20 });
    const outcome = fc.constantFrom<Verdict>("applied", "ignored", "first only");
    fc.assert(
      fc.property(tasks, outcome, (ids, truth) => {
        const all = ids.map((taskId, at) => row({ id: `${at}`, taskId }));
        const meant = (each: ObservedRow) => each.taskId === "1" || each.taskId === "2";
        const first = (each: ObservedRow) => each.taskId === "1";
        const rows = all.filter({ applied: meant, ignored: () => true, "first only": first }[truth as "applied"]);
        const page = { rows, items: "rows" as const, total: rows.length, pageSize: 100, date: null };
        expect(["unknown", truth]).toContain(judgeFilter({ page }, { all, matches: meant, matchesFirst: first }));
      }),
    );
  });
});

describe("judgeTimeZone", () => {
  it("finds the true offset of a wall clock, and only between two near bounds", () => {
    const gap = fc.integer({ min: 0, max: 120 }).map((minutes) => minutes * MINUTE);
    fc.assert(
      fc.property(offset, fc.nat(60), fc.array(gap, { maxLength: 3 }), (truth, age, gaps) => {
        const firstCalls = gaps.map((each) => ({
          createdAt: NOW - 240 * MINUTE,
          startAt: NOW - 240 * MINUTE + each + truth,
        }));
        const newest = NOW - age * MINUTE + truth;
        const bounds = { newest, date: NOW, ourClock: NOW, firstCalls, writtenOffsets: [] };
        const evidence = {
          rangeOffset: null,
          newestMs: NOW,
          isWall: true,
          isConfirmed: true,
          otherSeasons: [],
          writtenOffsets: [],
          isMarkedZ: false,
          bounds,
        };
        const { value, zones } = judgeTimeZone(evidence);
        const isNear = age <= 4 && gaps.filter((each) => each <= 4 * MINUTE).length >= 2;
        expect([null, text(truth)]).toContain(value);
        if (isNear) expect(value).toBe(text(truth));
        // No zone with the true offset is excluded.
        expect(zones).toEqual(expect.arrayContaining(zonesWithOffsets([{ at: NOW, offset: truth }])));
        const differing = judgeTimeZone({ ...evidence, bounds: { ...bounds, ourClock: NOW + 20 * MINUTE } });
        expect([differing.value, differing.zones]).toEqual([null, undefined]);
      }),
    );
  });
});

function text(ms: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(ms) / 3_600_000), (Math.abs(ms) / MINUTE) % 60];
  return `${ms < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}
