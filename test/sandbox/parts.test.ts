import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDialQueue } from "../../sandbox/src/telephony/dialler.ts";
import { parseJson, stringifyJson } from "../../sandbox/src/bigintJson.ts";
import { parseQuery } from "../../sandbox/src/api/listCallLogs.ts";
import { createRandom } from "../../sandbox/src/random.ts";
import { createJournal } from "../../sandbox/src/journal.ts";
import { dayOf, parseWall, periodsOf, formatWall } from "../../sandbox/src/timeText.ts";

describe("stringifyJson and parseJson", () => {
  it("keep every integer", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), (value) => {
        const text = `{"id":[${value}]}`;
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it("keep every other JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyJson(parseJson(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe("parseQuery", () => {
  it("decodes like URLSearchParams", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1, unit: "grapheme" }), fc.string())), (pairs) => {
        const encoded = new URLSearchParams(pairs).toString();
        const expected = new URLSearchParams(encoded);
        const found = parseQuery(encoded);
        for (const name of expected.keys()) expect(found.get(name)).toEqual(expected.getAll(name));
        expect(found.size).toBe(new Set(expected.keys()).size);
      }),
    );
  });
});

describe("wall-clock times", () => {
  it.each(["UTC", "Asia/Shanghai", "Asia/Kolkata", "America/St_Johns"])(
    "in %s, whatever the process's own zone",
    (zone) => {
      const anySecond = fc.integer({ min: 0, max: 4_000_000_000 }).map((second) => second * 1000);
      fc.assert(
        fc.property(anySecond, (instant) => {
          const back = parseWall(formatWall(instant, zone), zone);
          // In the hour that summer time repeats, the earlier of two instants is meant.
          expect([instant, instant - 3_600_000]).toContain(back);
        }),
      );
    },
  );

  it("have days and periods of the zone", () => {
    const noon = Date.UTC(2026, 2, 29, 10);
    const { start, end } = dayOf(noon, "Europe/Berlin");
    expect(end - start).toBe(23 * 3_600_000 - 1000);
    const afternoonFirst = [
      ["13:00", "14:00"],
      ["09:00:30", "10:00"],
    ];
    expect(periodsOf("2026-03-29", afternoonFirst, "Europe/Berlin")).toEqual([
      { start: Date.UTC(2026, 2, 29, 7, 0, 30), end: Date.UTC(2026, 2, 29, 8) },
      { start: Date.UTC(2026, 2, 29, 11), end: Date.UTC(2026, 2, 29, 12) },
    ]);
  });
});

describe("createRandom", () => {
  it("stays within its bounds, and repeats for the same seed", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, min, span) => {
        const [one, two] = [createRandom(seed), createRandom(seed)];
        for (let count = 0; count < 20; count += 1) {
          const value = one.int(min, min + span);
          expect(value).toBe(two.int(min, min + span));
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(min + span);
        }
      }),
    );
  });
});

describe("createJournal", () => {
  it("keeps the newest entries, by number and by size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.nat(9), { maxLength: 200 }), (entries, added) => {
        const journal = createJournal<number>({ entries });
        for (const entry of added) journal.add(entry);
        expect(journal.list()).toEqual(added.slice(-entries));
      }),
    );
    const heavy = createJournal<string>({ entries: 10, size: 10 });
    for (const name of ["a", "b", "c"]) heavy.add(name, 6);
    expect(heavy.list()).toEqual(["c"]);
  });
});

describe("createDialQueue", () => {
  it("returns due retries before numbers not tried yet, and no settled ones", () => {
    const item = (number: string) => ({ id: 1n, number, extra: {}, attempts: 0, done: false });
    const [a, b, c] = [item("a"), item("b"), item("c")];
    const queue = createDialQueue([a, b, c]);
    expect(queue.next(0)).toBe(a);
    queue.addRetry(a, 100);
    expect([queue.nextDueAt(), queue.next(50)]).toEqual([0, b]);
    expect([queue.next(100), queue.nextDueAt()]).toEqual([a, 0]);
    c.done = true;
    expect([queue.nextDueAt(), queue.next(200)]).toEqual([null, null]);
    queue.addRetry(b, 300);
    expect([queue.next(299), queue.nextDueAt(), queue.next(300)]).toEqual([null, 300, b]);
  });
});
