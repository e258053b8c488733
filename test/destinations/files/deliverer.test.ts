// The events of an hour on their way into files: what cannot be read, and who is erased meanwhile.
import { describe, expect, it } from "vitest";
import type { EventReference } from "../../../src/destinations/deliverer.ts";
import type { ReadEvent } from "../../../src/destinations/eventDeliverer.ts";
import { createHourDeliverer } from "../../../src/destinations/files/hourDeliverer.ts";
import { createSemaphore } from "../../../src/util/semaphore.ts";
import { allIds, folderDestination, folderPlace } from "./targets.ts";

const HOUR = "2026-11-20T09";
const { signal } = new AbortController();
const eventOf = (sessionId: string, at: number): EventReference => ({
  sessionId,
  revision: 1,
  receivedAt: "2026-11-20T09:30:00.000Z",
  seq: at + 1,
  importedEnd: null,
});
const eventsOf = (names: string) => names.split("").map(eventOf);

function opened(read: (name: string) => "problem" | "gone" | null, order: "strict" | "free" = "free") {
  const place = folderPlace();
  let erasures = 0;
  const readEvent: ReadEvent = async ({ sessionId }) => {
    const found = read(sessionId);
    if (found === "problem") return { problem: "not now", retryAfterMs: null };
    return { id: sessionId, data: found === "gone" ? null : { sessionId } };
  };
  const deliverer = createHourDeliverer(
    { ...folderDestination(place.folder), order, maxInFlight: 2 },
    { readEvent, target: place.open(), erasures: async () => erasures, turns: createSemaphore(1), maxSize: 200 },
  );
  const names = (events: readonly EventReference[]) => events.map(({ sessionId }) => sessionId).join("");
  async function hand(given: string) {
    const made = await deliverer.deliverHour(HOUR, eventsOf(given), signal);
    if (made.outcome !== "taken") throw new Error(made.outcome);
    const { missing, refused, left } = made;
    return [names(missing.map(({ event }) => event)), names(refused.map(({ event }) => event)), names(left)];
  }
  return { ...place, hand, erase: () => void (erasures += 1) };
}

describe("The events of an hour", () => {
  it("are written with order free but for those that cannot be read or are gone, in parts of some size", async () => {
    const place = opened((name) => (name === "c" ? "problem" : name === "e" ? "gone" : null));
    expect(await place.hand("abcdefg")).toEqual(["e", "c", ""]);
    expect(allIds(place)).toEqual(["a", "b", "d", "f", "g"]);
    expect(place.files().size).toBeGreaterThan(2);
  });

  it("are written with order strict up to the first one that cannot be read", async () => {
    const place = opened((name) => (name === "c" ? "problem" : null), "strict");
    expect(await place.hand("abcde")).toEqual(["", "c", "de"]);
    expect(allIds(place)).toEqual(["a", "b"]);
  });

  it("are read again before they are written where somebody was erased meanwhile", async () => {
    const erased = new Set<string>();
    const place = opened((name) => {
      if (name === "b" && erased.size === 0) {
        // After "a" was read, and before "a" is written.
        erased.add("a");
        place.erase();
        return null;
      }
      return erased.has(name) ? "gone" : null;
    });
    expect(await place.hand("ab")).toEqual(["a", "", ""]);
    expect(allIds(place)).toEqual(["b"]);
  });
});
