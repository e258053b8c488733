import { describe, expect, it } from "vitest";
import { differingIds, killDestinations, takenFirst } from "./destinations.ts";

describe("Destinations of two gateways that are killed in turns, with their PostgreSQL", () => {
  it(
    "hand each event to a receiver that is right, one that fails at random and one that was away, in order where it is strict",
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
      }
    },
  );
});
