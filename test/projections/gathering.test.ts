import { describe, expect, it } from "vitest";
import { RECIPIENTS } from "../../src/projections/recipientProjection.ts";
import type { ProjectionStore } from "../../src/store/projections/projectionStore.ts";
import { callEnded, headOf } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { recipientRule, startGateway } from "./projecting.ts";

const HOUR_MS = 3_600_000;

describe.each(databases)("A projection of which nobody waits for rows on %s", (_, { create }) => {
  it("lets calls gather, and reads them all when a reader waits for the last one, or for the one that it was told", async () => {
    const store = await tempStore((await create()).url);
    const { log, projections } = await startGateway(store, recipientRule(), (same) => same, HOUR_MS);
    const behind = async () => (await projections.builds()).reduce((sum, build) => sum + build.behind, 0);
    await log.append(callEnded({ sessionId: "first" }), "WEBHOOK");
    expect(await projections.waitFor(RECIPIENTS, await headOf(log), HOUR_MS)).toBe(true);
    let calls = 0;
    for (const wait of [
      (head: string) => projections.waitFor(RECIPIENTS, head, HOUR_MS),
      (head: string) => until(() => projections.shows(RECIPIENTS, head)).then(() => true),
    ]) {
      await until(async () => {
        await log.append(callEnded({ sessionId: `call ${(calls += 1)}` }), "WEBHOOK");
        return (await behind()) > 1;
      });
      expect(await wait(await headOf(log))).toBe(true);
      expect(await behind()).toBe(0);
    }
  });

  it("is waited for again once it shows an event that was waited for in vain", async () => {
    const store = await tempStore((await create()).url);
    let hold = Promise.resolve();
    const wrap = (own: ProjectionStore): ProjectionStore => ({
      ...own,
      add: (...all) => hold.then(() => own.add(...all)),
    });
    const { log, projections } = await startGateway(store, recipientRule(), wrap, HOUR_MS);
    let calls = 0;
    const showsNext = async () => {
      await log.append(callEnded({ sessionId: `call ${(calls += 1)}` }), "WEBHOOK");
      return projections.shows(RECIPIENTS, await headOf(log));
    };
    await until(showsNext);
    const released = Promise.withResolvers<void>();
    hold = released.promise;
    await until(async () => !(await showsNext()));
    released.resolve();
    await until(showsNext);
    expect(await projections.shows(RECIPIENTS, await headOf(log))).toBe(true);
  });
});
