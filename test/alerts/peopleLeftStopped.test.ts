// Alerts on people that are left when the service stops a task, on both databases.
import { describe, expect, it } from "vitest";
import { alertText, overText } from "../../src/alerts/alertText.ts";
import { instantOf } from "../../src/format/instant.ts";
import { databases } from "../store/databases.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { begunOn, DAY, EVENING, left, MORNING } from "./leftWorld.ts";
import { at, end, peopleLeft, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;
const THREE_DAYS = 3 * 24 * 60;

/** The service stops it at that minute. */
const stopped = (minutes: number, own: Parameters<typeof left>[0] = {}, ...hours: [string[][]?, string?]) =>
  left({ status: "stop.timeout", updatedAt: instantOf(at(minutes)), ...own }, ...hours);

describe.each(databases)("An alert on people that are left by a stop on %s", (_, { create }) => {
  const begun = (task = left(), own = service()) => begunOn({ create }, task, { own });

  it.each(["stop.timeout", "stop.abnormal"] as const)(
    "is raised five minutes after a look has seen it (%s), whatever the hours are, and over after three days",
    async (status) => {
      const { gateway, look, doubts } = await begun(stopped(0, { status }, [["x", "y"]]));
      await look(0, 4);
      expect(await all(gateway)).toEqual([]);
      await look(5);
      const raised = { raisedAt: minute(5), value: 591, resolvedAt: null };
      expect(await all(gateway)).toMatchObject([raised]);
      const [alert] = await all(gateway);
      expect(alert && alertText(alert, "en", (name) => name)).toMatch(
        /^The service has stopped task 7, and at least 591/,
      );
      await look(35, MORNING + 1, EVENING + 5, THREE_DAYS - 1);
      expect(await all(gateway)).toMatchObject([raised]);
      expect(await doubts()).toEqual([]);
      await look(THREE_DAYS, 2 * THREE_DAYS);
      expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(THREE_DAYS), ending: "PERIOD_OVER" }]);
    },
  );

  it("is told where an alert of its hours is open, too, which is over then", async () => {
    const { gateway, own, look } = await begun();
    await look(35);
    own.now = at(40);
    own.tasks.set("7", stopped(40));
    await look(40, 44);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
    await look(45, MORNING + 1);
    const over = { raisedAt: minute(35), resolvedAt: minute(40), ending: "NOT_RUNNING" };
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(45), resolvedAt: null }, over]);
    const notices = await gateway.store.alerts.noticesAfter(0, 10);
    expect(notices.map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED", "RAISED"]);
    const [, ended] = notices;
    expect(ended && overText(ended.alert, "en")).toMatch(/^Closed, because the task was stopped/);
  });

  it("leaves an alert of its hours open while nobody knows whether people are left", async () => {
    const { gateway, own, look, doubts } = await begun();
    await look(35);
    own.tasks.set("7", stopped(35, { progress: null }));
    await look(40, 50);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
    expect(await doubts()).toHaveLength(1);
  });

  // https://github.com/coiled/feedback/issues/55
  it.each([
    ["with each answer of the service", (minutes: number) => minutes],
    ["by a clock that is a day ahead", (minutes: number) => minutes + 24 * 60],
    ["in no way that can be read", () => null],
  ])("is raised once, also where its time of change changes %s", async (_how, changed) => {
    const seen = (minutes: number) => {
      const of = changed(minutes);
      return stopped(0, { updatedAt: of === null ? null : instantOf(at(of)) });
    };
    const { gateway, own, look } = await begun(seen(0));
    for (const minutes of [0, 4, 5, 60, THREE_DAYS, THREE_DAYS + 60]) {
      own.tasks.set("7", seen(minutes));
      await look(minutes);
    }
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(5), resolvedAt: minute(THREE_DAYS) }]);
  });

  it("waits for its last calls, and for an hour at most", async () => {
    const { gateway, own, look } = await begun(stopped(0));
    await look(0);
    for (let minutes = 4; minutes < 60; minutes += 4) {
      await end(gateway, own, minutes);
      await look(minutes);
    }
    expect(await all(gateway)).toEqual([]);
    await look(60);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(60), resolvedAt: null }]);
  });

  // Credit runs out, and somebody pays: https://help-cloud-lts-11-release-1-12-6-latest.docs.just-ai.com/en/aimylogic/smart_calls/call_status
  it("is over where somebody lets the task go on, in its hours or not, and a further stop is a further alert", async () => {
    const { gateway, own, look } = await begun(stopped(0));
    await look(0, 5);
    own.tasks.set("7", left());
    await look(10);
    const first = { raisedAt: minute(5), resolvedAt: minute(10), ending: "PERIOD_OVER" };
    expect(await all(gateway)).toMatchObject([first]);
    own.now = at(40);
    own.tasks.set("7", stopped(40));
    await look(40, 45);
    own.tasks.set("7", left({ status: "pending" }));
    await look(50);
    const second = { raisedAt: minute(45), resolvedAt: minute(50), ending: "PERIOD_OVER" };
    expect(await all(gateway)).toMatchObject([second, first]);
    // The end of these hours was before that stop.
    await look(60, MORNING + 1);
    expect(await all(gateway)).toHaveLength(2);
    await look(EVENING + 5);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(EVENING + 5), resolvedAt: null }, second, first]);
  });

  it("keeps its begin over a restart, on another gateway, and where the service does not answer meanwhile", async () => {
    const { gateway, own, look, stop } = await begun(stopped(0));
    await look(0);
    own.tasks.set("7", new Error("The service is away."));
    await look(2);
    await stop();
    own.tasks.set("7", stopped(4));
    const second = await watching(gateway, own, [peopleLeft()]);
    await second.look(5, 6);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(5), resolvedAt: null }]);
  });

  it("is raised of a task that is stopped before its first day", async () => {
    const { gateway, look } = await begun(stopped(0, {}, DAY, "2026-11-25"));
    await look(0, 5);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(5) }]);
  });

  it("counts from the time of change where it was before the first look, and is not told of after three days", async () => {
    const { gateway, look } = await begun(stopped(-60));
    await look(0);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(0) }]);
    const other = await begunOn({ create }, stopped(-THREE_DAYS));
    await other.look(0, 10);
    expect(await all(other.gateway)).toEqual([]);
  });

  // https://github.com/coiled/feedback/issues/55
  it("counts from the look before where the service does not change the time of change", async () => {
    const { gateway, own, look } = await begun(left({ updatedAt: instantOf(at(-2 * THREE_DAYS)) }));
    await look(0, 10);
    own.tasks.set("7", stopped(-2 * THREE_DAYS));
    await look(14);
    expect(await all(gateway)).toEqual([]);
    await look(16);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(16), resolvedAt: null }]);
  });
});
