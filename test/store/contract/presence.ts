import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { until } from "../../support/until.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { appendRows, eachRevises, eventRow, open, tempStore } from "../tempStore.ts";

export function presenceContract({ name, create }: DatabaseUnderTest): void {
  const rowsOf = (ids: readonly string[]) => ids.map((sessionId) => eventRow({ sessionId }));

  describe("mayContain() of the event log", () => {
    it("is never false for a call that was appended, at any time and after any restart", async () => {
      const id = fc.oneof(fc.uuid(), fc.constantFrom("a", "b", "Ω", "call@host"), fc.nat(99).map(String));
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ append: fc.array(id, { minLength: 1, maxLength: 4 }) }) },
        fc.record({ purge: fc.constant(1) }),
        fc.record({ reopen: fc.boolean() }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          await using database = await create();
          const { url } = database;
          let store = await open(url);
          const appended = new Set<string>();
          const isComplete = async () => [...appended].every((each) => store.events.mayContain(each));
          for (const each of steps) {
            if ("append" in each) {
              // The first question starts the reading of the log, which the append overtakes or not.
              const writing = store.events.append(rowsOf(each.append), eachRevises);
              expect(await isComplete()).toBe(true);
              await writing;
              for (const sessionId of each.append) appended.add(sessionId);
            } else if ("purge" in each) {
              await store.events.purge("2000-01-01T00:00:00.000Z", each.purge);
            } else {
              await store[Symbol.asyncDispose]();
              store = await open(url);
              if (each.reopen) expect(await isComplete()).toBe(true);
            }
            expect(await isComplete()).toBe(true);
          }
          if (name === "SQLite") await until(() => !store.events.mayContain("no such call"));
          expect(await isComplete()).toBe(true);
          await store[Symbol.asyncDispose]();
        }),
        { numRuns: 15 },
      );
    });

    it.runIf(name === "PostgreSQL")("is true for a call that another gateway appended", async () => {
      const { url } = await create();
      const [one, other] = [await tempStore(url), await tempStore(url)];
      for (let at = 0; at < 20; at += 1) {
        expect(one.events.mayContain(`call-${at}`)).toBe(true);
        await appendRows(other.events, rowsOf([`call-${at}`]));
        expect(one.events.mayContain(`call-${at}`)).toBe(true);
        await one.events.head();
      }
    });

    it("knows every call of a long log after a restart, and what is not there on SQLite alone", async () => {
      const { url } = await create();
      const ids = Array.from({ length: 4500 }, (_, at) => `call-${at}`);
      const before = await open(url);
      for (let at = 0; at < ids.length; at += 500) await appendRows(before.events, rowsOf(ids.slice(at, at + 500)));
      await before[Symbol.asyncDispose]();
      const { events } = await tempStore(url);
      const others = Array.from({ length: 100 }, (_, at) => `other-${at}`);
      const mayContain = (list: readonly string[]) => list.filter((each) => events.mayContain(each)).length;
      expect([mayContain(ids), mayContain(others)]).toEqual([ids.length, others.length]);
      if (name === "SQLite") await until(() => mayContain(others) < 5);
      else await events.head();
      expect(mayContain(ids)).toBe(ids.length);
      if (name === "PostgreSQL") expect(mayContain(others)).toBe(others.length);
    });
  });
}
