// What users of other dialers and campaign tools have met, as rules on people that are left see it.
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import type { TaskDays } from "../../src/config/variables.ts";
import { sqlite } from "../store/databases.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { begunOn, DAY, EVENING, left, MORNING } from "./leftWorld.ts";
import { at, end, peopleLeft, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;
const begun = (task = left(), days: TaskDays | null = "daily", rule: object = {}) =>
  begunOn(sqlite, task, { rule, own: { ...service(), days } });
/** NOW is on the 20th. */
const YESTERDAY = "2026-11-19";
const TODAY = "2026-11-20";

describe("An alert on people that are left, of a task that calls on its start date only,", () => {
  // https://github.com/mesos/chronos/issues/699, https://github.com/boomerang-io/community/issues/311
  it.each([
    ["on that day", TODAY],
    ["on the day after", YESTERDAY],
    ["a week later", "2026-11-13"],
  ])("is raised where it was created after its hours, %s: it will never call", async (_when, startDate) => {
    const { gateway, look, doubts } = await begun(left({ createdAt: instantOf(at(40)) }, DAY, startDate), "first");
    await look(41, 44);
    expect(await all(gateway)).toEqual([]);
    await look(45);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(45), resolvedAt: null }]);
    expect(await doubts()).toEqual([]);
  });

  it("is not raised in its break, also where it was created before the break", async () => {
    const break_ = [
      ["09:00", "12:00"],
      ["18:00", "20:00"],
    ];
    const { gateway, look } = await begun(left({}, break_, TODAY), "first");
    await look(0, 29);
    expect(await all(gateway)).toEqual([]);
  });
});

describe("Where nobody says whether a task calls after its start date", () => {
  it.each([
    ["it was created after its hours", left({ createdAt: instantOf(at(31)) }, DAY, TODAY), 36],
    [
      "it is a break of a later day",
      left(
        {},
        [
          ["17:00", "18:00"],
          ["20:00", "09:00"],
        ],
        YESTERDAY,
      ),
      40,
    ],
    [
      "the hours go on at night, and the next day would begin after a break",
      left(
        {},
        [
          ["03:00", "12:00"],
          ["22:00", "02:00"],
        ],
        TODAY,
      ),
      8.75 * 60,
    ],
  ])("nothing is raised where %s, and that is a doubt", async (_where, task, minutes) => {
    const { gateway, look, doubts } = await begun(task, null);
    await look(minutes);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("UPSTREAM_TASK_DAYS does not say")]);
  });
});

describe("An alert on people that are left", () => {
  // Hours in the zones of the people, or of another clock: https://knowledge.liveops.com/Help_Desk/Knowledge_Base/Call_Center_Voice_Platform/Performance_Based_Call_Routing/Outbound_Campaign_Dialer_StartStop_Tab_Options,
  // https://github.com/warmbly/warmbly/pull/459
  it("comes an hour after the hours of a service that goes on calling after them", async () => {
    const { gateway, own, look } = await begun();
    for (let minutes = 27; minutes < 90; minutes += 4) {
      await end(gateway, own, minutes);
      await look(minutes);
    }
    expect(await all(gateway)).toEqual([]);
    await look(90);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(90), resolvedAt: null }]);
  });

  // https://github.com/pentacent/keila/issues/9, https://github.com/phpList/phplist-ui-bootlist/pull/121
  it("is not raised of a task without people that waits for ever, and its percentage is no doubt", async () => {
    const { gateway, look, doubts } = await begun(left({ status: "pending", total: 0, progress: null }));
    await look(35);
    expect([await all(gateway), await doubts()]).toEqual([[], []]);
  });

  // https://github.com/FredHutch/motuz/issues/355, https://github.com/putyourlightson/craft-campaign/issues/505
  it("stays one while the percentage goes back, or says all although some wait", async () => {
    const { gateway, own, look } = await begun(left({ progress: 70 }), "daily", { atLeast: 1 });
    await look(35);
    for (const [index, progress] of [69, 61, 100, 63].entries()) {
      own.tasks.set("7", left({ progress }));
      await look(36 + index);
    }
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: null }]);
  });

  // https://help.mypurecloud.com/articles/start-pause-campaign/
  it("comes at the end of the hours of a task that was done, and was turned on again from its first number", async () => {
    const { gateway, own, look } = await begun(left({ status: "done", progress: 100 }));
    await look(35, MORNING);
    own.tasks.set("7", left({ progress: 1 }));
    await look(MORNING + 60, EVENING + 5);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(EVENING + 5), value: 981 }]);
  });

  // https://github.com/ProgressiveCoders/Spoke/issues/897
  it("does not take a task for called that lacks five of twenty thousand, and says that it cannot tell", async () => {
    const { gateway, look, doubts } = await begun(left({ total: 19_975, progress: 100 }), "daily", { atLeast: 1 });
    await look(35);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("between 0 and 199 people are left")]);
  });

  // https://github.com/warmbly/warmbly/pull/172
  it("follows hours that somebody moves to a day that comes", async () => {
    const { gateway, own, look } = await begun();
    await look(35);
    own.tasks.set("7", left({}, DAY, "2026-11-25"));
    await look(40, MORNING, EVENING + 5);
    expect(await all(gateway)).toHaveLength(1);
  });

  it("is not raised again of what it was raised of, by a reader that begins again, a restart, or another gateway", async () => {
    const { gateway, own, look, stop } = await begun();
    await end(gateway, own, 20);
    await look(35);
    own.tasks.set("7", left({ progress: 100, total: 10 }));
    await look(36);
    await stop();
    await gateway.store.readers.delete("alerts");
    own.tasks.set("7", left());
    const second = await watching(gateway, own, [peopleLeft()]);
    await second.look(40, 200);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(35), resolvedAt: minute(36), ending: "RECOVERED" }]);
    expect(await gateway.store.alerts.noticesAfter(0, 10)).toHaveLength(2);
  });

  it("leaves its doubts with a gateway that goes away, until another one has looked", async () => {
    const { gateway, own, look, doubts, stop } = await begun(left({ progress: null }));
    await look(35);
    await stop();
    expect(await doubts()).toHaveLength(1);
    own.tasks.set("7", left());
    const second = await watching(gateway, own, [peopleLeft()]);
    await second.look(40);
    expect(await doubts()).toEqual([]);
  });
});
