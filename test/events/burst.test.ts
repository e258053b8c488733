import { describe, expect, it, onTestFinished } from "vitest";
import { openEventLog } from "../../src/events/eventLog.ts";
import { createLogger } from "../../src/logger.ts";
import type { EventStore } from "../../src/store/events/eventStore.ts";
import { tempStore } from "../store/tempStore.ts";
import { callEnded, openLog, signer } from "./callEnded.ts";

const WAITING = 20_000;
const BEYOND = 500;

describe("Deliveries that arrive faster than the disk writes", () => {
  it("wait up to a limit, are refused beyond it, and are all kept otherwise", async () => {
    const store = await tempStore();
    const held = Promise.withResolvers<void>();
    const append: EventStore["append"] = async (deliveries, revise) => {
      await held.promise;
      return store.events.append(deliveries, revise);
    };
    const log = await openLog({ ...store.events, append });
    onTestFinished(() => log[Symbol.asyncDispose]());
    const burst = Array.from({ length: WAITING + BEYOND }, (_, at) =>
      log.append(callEnded({ sessionId: `call ${at}` }), "WEBHOOK").then(
        () => "kept",
        (error: { code?: string; retryAfter?: number }) => `${error.code} ${error.retryAfter}`,
      ),
    );
    held.resolve();
    const outcomes = Map.groupBy(await Promise.all(burst), (outcome) => outcome);
    expect(outcomes.get("kept")?.length).toBe(WAITING);
    expect(outcomes.get("STORE_UNAVAILABLE 1")?.length).toBe(BEYOND);
    const kept = await store.events.head();
    expect(kept).toBe(WAITING);
    expect(await log.append(callEnded({ sessionId: "afterwards" }), "WEBHOOK")).toBe("appended");
  });
});

describe("The log of a database that is down", () => {
  it("has one line for the outage, and one for its end", async () => {
    const store = await tempStore();
    const lines: { level: string }[] = [];
    const log = createLogger({
      level: "info",
      secrets: [],
      write: (line) => lines.push(JSON.parse(line) as { level: string }),
    });
    let isAway = false;
    const read: EventStore["read"] = (page) => (isAway ? Promise.reject(new Error("away")) : store.events.read(page));
    const deps = { store: { ...store.events, read }, signer, clock: Date.now, checkpointMs: 60_000, log };
    const events = await openEventLog(deps);
    onTestFinished(() => events[Symbol.asyncDispose]());
    isAway = true;
    for (let look = 0; look < 5; look += 1) await events.refresh();
    isAway = false;
    await events.refresh();
    expect(lines.map(({ level }) => level)).toEqual(["warn", "info"]);
  });
});
