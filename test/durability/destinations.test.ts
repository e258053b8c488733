import { describe, expect, it } from "vitest";
import { differingIds, killDestinations, takenFirst } from "./destinations.ts";

describe("Destinations of two gateways that are killed in turns, with their PostgreSQL", () => {
  it(
    "hand each event to receivers that are right, fail at random and were away, in order where it is strict, to brokers, and once into files",
    { timeout: 900_000 },
    async () => {
      const { acknowledged, stored, arrivals, postgresKills } = await killDestinations({ kills: 5, events: 20 });
      expect(postgresKills).toBe(1);
      expect(stored.toSorted()).toEqual(acknowledged.toSorted());
      for (const [name, arrived] of arrivals) {
        const taken = takenFirst(arrived);
        expect([name, differingIds(arrived)]).toEqual([name, []]);
        if (name.endsWith("strict")) expect([name, taken]).toEqual([name, stored]);
        else expect([name, taken.toSorted()]).toEqual([name, stored.toSorted()]);
        // What is there already is read before more is written.
        if (name === "folder" || name === "bucket") expect([name, arrived.length]).toEqual([name, stored.length]);
      }
    },
  );
});
