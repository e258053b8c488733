import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { DAY } from "./imports.ts";
import { callAt, historyWorld, NOW, oddService } from "./world.ts";

describe("a cancelled import", () => {
  it("ends after a batch of calls, and counts what it has added", async () => {
    const rows = Array.from({ length: 900 }, (_, at) => callAt(`c${at}`, NOW - 2 * DAY + at * 1000));
    const world = await historyWorld({ service: oddService({ rows }) });
    const cancelled = Promise.withResolvers<void>();
    const { append } = world.events;
    let appended = 0;
    world.events.append = async (...call) => {
      const result = await append(...call);
      appended += 1;
      if (appended === 250) {
        await world.history.cancel("web");
        cancelled.resolve();
      }
      return result;
    };
    await world.history.start({ since: instantOf(NOW - 3 * DAY), until: null, actor: "web" });
    await cancelled.promise;
    await world.history[Symbol.asyncDispose]();
    expect(appended).toBe(300);
    const { state, calls } = await world.ended();
    expect(state).toBe("CANCELLED");
    expect(calls).toBeGreaterThan(200);
  });
});
