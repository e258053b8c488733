import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge, type Verdict } from "../../src/doctor/filters.ts";
import { timeFields, type SeenRow, type TimeField } from "../../src/doctor/observed.ts";
import { offsetsAt, survivors, zonesOf, type Span, type Window } from "../../src/doctor/offsets.ts";
import { rangeEnds, rangeField } from "../../src/doctor/rangeSemantics.ts";
import { endRanges } from "../../src/doctor/rangeProbe.ts";
import { pageClamp } from "../../src/doctor/valueForms.ts";
import { sortOrder } from "../../src/doctor/sortOrder.ts";
import { timeZone } from "../../src/doctor/findTimeZone.ts";
import { row } from "./rows.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const offset = fc.constantFrom(...offsetsAt(NOW));

describe("an offset that is true survives whatever is asked", () => {
  const call = fc.record({ from: fc.nat(300 * 60), lasts: fc.nat(600) });

  it("with windows whole or cut", () => {
    const asked = fc.array(
      fc.tuple(fc.integer({ min: -900, max: 1200 }), fc.integer({ min: 1, max: 900 }), fc.boolean()),
    );
    fc.assert(
      fc.property(offset, fc.array(call), asked, (truth, calls, ranges) => {
        const known: Span[] = calls.map(({ from, lasts }, at) => {
          const start = NOW - from * 1000;
          return { key: `${at}`, from: start, to: start + lasts * 1000 };
        });
        const windows = ranges.map(([minutes, width, isWhole]): Window => {
          const range = { from: NOW + minutes * MINUTE, to: NOW + (minutes + width) * MINUTE };
          const inside = known.filter(({ from }) => from + truth >= range.from && from + truth <= range.to);
          return { range, isWhole, rows: isWhole ? inside : inside.slice(0, 2) };
        });
        expect(survivors(offsetsAt(NOW), windows, known)).toContain(truth);
      }),
    );
  });
});

describe("an order is told only where no other fits", () => {
  const rows = fc.array(fc.record({ start: fc.nat(10_000), lasts: fc.nat(500), id: fc.uuid() }), { maxLength: 40 });
  const keys: Record<string, (call: { start: number; lasts: number; id: string }) => number | string> = {
    "startAt, newest first": ({ start }) => -start,
    "startAt, oldest first": ({ start }) => start,
    "endAt, newest first": ({ start, lasts }) => -(start + lasts),
    "sessionId, ascending": ({ id }) => id,
  };

  it.each(Object.entries(keys))("as %s, or not at all", (name, key) => {
    fc.assert(
      fc.property(rows, (calls) => {
        const sorted = calls.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
        const { value } = sortOrder(sorted.map(({ start, lasts, id }) => row({ id, start, end: start + lasts })));
        expect([null, name]).toContain(value);
      }),
    );
  });
});

describe("the filtered field and its ends are those of the service", () => {
  const ends = {
    both: [true, true],
    "startTime only": [true, false],
    "endTime only": [false, true],
    neither: [false, false],
  };
  const gaps = fc.tuple(fc.integer({ min: 3, max: 90 }), fc.integer({ min: 3, max: 900 }));

  it("for each field and each pair of ends", () => {
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
          const seen = times.map(() => endRanges.map(([from, to]) => isIn(0, from, to)));
          expect(rangeField(probes, seen).value).toBe(field);
          expect(rangeEnds(seen).value).toBe(name);
        },
      ),
    );
  });

  it("and not told where a time near it is what is filtered", () => {
    const probes = [1, 2].map(() => ({ around: { startAt: true, answerAt: false, endAt: false } }));
    const seen = [1, 2].map(() => [true, true, false, false, false]);
    expect(rangeField(probes, seen)).toMatchObject({ confidence: "undetermined" });
    expect(rangeEnds(seen)).toMatchObject({ confidence: "undetermined" });
  });
});

describe("the largest page is told only where a service could not give more", () => {
  it("whatever its answers tell of their size", () => {
    const told = fc.constantFrom("used", "asked");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(300), told, (most, total, tells) => {
        const pages = [0, 1].map((index) => ({
          rows: Array.from({ length: Math.max(0, Math.min(most, total - index * most)) }, () => row({})),
          items: "rows" as const,
          total,
          pageSize: tells === "used" ? most : 100,
          date: null,
        }));
        expect([null, String(most)]).toContain(pageClamp(pages).value);
        if (total > 2 * most) expect(pageClamp(pages).value).toBe(String(most));
      }),
    );
  });
});

describe("a filter is judged by the rows it ought to give", () => {
  it("or not at all, where outcomes look alike", () => {
    const tasks = fc.array(fc.constantFrom("1", "2", "3"), { minLength: 1, maxLength: 20 });
    const outcome = fc.constantFrom<Verdict>("honoured", "ignored", "first only");
    fc.assert(
      fc.property(tasks, outcome, (ids, truth) => {
        const all = ids.map((taskId, at) => row({ id: `${at}`, taskId }));
        const meant = (each: SeenRow) => each.taskId === "1" || each.taskId === "2";
        const first = (each: SeenRow) => each.taskId === "1";
        const rows = all.filter({ honoured: meant, ignored: () => true, "first only": first }[truth as "honoured"]);
        const page = { rows, items: "rows" as const, total: rows.length, pageSize: 100, date: null };
        expect(["unknown", truth]).toContain(judge({ page }, { all, meant, first }));
      }),
    );
  });
});

describe("an offset of a wall clock is told only between two near bounds", () => {
  it("and is then the true one", () => {
    const gap = fc.integer({ min: 0, max: 120 }).map((minutes) => minutes * MINUTE);
    fc.assert(
      fc.property(offset, fc.nat(60), fc.array(gap, { maxLength: 3 }), (truth, age, gaps) => {
        const firstCalls = gaps.map((each) => ({
          createdAt: NOW - 240 * MINUTE,
          startAt: NOW - 240 * MINUTE + each + truth,
        }));
        const newest = NOW - age * MINUTE + truth;
        const bounds = { newest, date: NOW, ours: NOW, firstCalls, shown: [] };
        const evidence = {
          found: null,
          now: NOW,
          isWall: true,
          isConfirmed: true,
          seasons: [],
          shown: [],
          isMarkedZ: false,
          bounds,
        };
        const { value, zones } = timeZone(evidence);
        const isNear = age <= 4 && gaps.filter((each) => each <= 4 * MINUTE).length >= 2;
        expect([null, text(truth)]).toContain(value);
        if (isNear) expect(value).toBe(text(truth));
        // No zone that keeps the true one is ruled out.
        expect(zones).toEqual(expect.arrayContaining(zonesOf([{ at: NOW, offset: truth }])));
        const differing = timeZone({ ...evidence, bounds: { ...bounds, ours: NOW + 20 * MINUTE } });
        expect([differing.value, differing.zones]).toEqual([null, undefined]);
      }),
    );
  });
});

function text(ms: number): string {
  const [hours, minutes] = [Math.floor(Math.abs(ms) / 3_600_000), (Math.abs(ms) / MINUTE) % 60];
  return `${ms < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}
