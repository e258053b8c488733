// Rules on tasks that run without calls, on both databases.
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { databases, postgres, sqlite } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { at, end, from, noCalls, opened, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;

describe.each(databases)("An alert on a task without calls on %s", (_, { create }) => {
  const begun = async (own = service(), rules: readonly object[] = [noCalls()], more = {}) => {
    const gateway = await opened((await create()).url, own);
    return { gateway, own, ...(await watching(gateway, own, rules, more)) };
  };

  // https://github.com/VictoriaMetrics/VictoriaMetrics/issues/657, https://github.com/openobserve/openobserve/pull/14611
  it("is raised once for one that has never called, told, and ends with the first call", async () => {
    const { gateway, own, look } = await begun();
    await look(...from(0, 19));
    expect(await all(gateway)).toEqual([]);
    await look(20, 21, 24);
    const raised = { kind: "noCalls", taskId: "7", raisedAt: minute(20), value: 20, threshold: 20 };
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: null }]);
    await end(gateway, own, 25);
    await look(23, 26);
    expect(await all(gateway)).toMatchObject([{ ...raised, resolvedAt: minute(25), ending: "RECOVERED" }]);
    expect((await gateway.store.alerts.noticesAfter(0, 10)).map(({ kind }) => kind)).toEqual(["RAISED", "RESOLVED"]);
  });

  it("counts from when the task goes on after a pause, and not from its last call", async () => {
    const { gateway, own, look } = await begun();
    await end(gateway, own, 1);
    await look(2);
    own.tasks.set("7", running({ status: "stop.operate" }));
    await look(3, 30);
    own.tasks.set("7", running());
    await look(...from(31, 50));
    expect(await all(gateway)).toEqual([]);
    await look(51);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(51), resolvedAt: null }]);
    own.tasks.set("7", running({ status: "stop.operate" }));
    await look(52);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(52), ending: "NOT_RUNNING" }]);
  });

  it("goes on counting where another gateway goes on, and begins anew where nobody looked for a while", async () => {
    const { gateway, own, look, stop } = await begun();
    await look(0, 4, 8);
    await stop();
    const second = await watching(gateway, own, [noCalls()]);
    await second.look(12, 16, 20);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(20) }]);
    await end(gateway, own, 21);
    await second.look(22);
    await second.stop();
    const third = await watching(gateway, own, [noCalls()]);
    await third.look(40, 44, 48, 52, 56);
    expect(await all(gateway)).toHaveLength(1);
    await third.look(60);
    expect((await all(gateway)).map(({ raisedAt }) => raisedAt)).toEqual([minute(60), minute(20)]);
  });

  it("is over when the hours end, and counts from their begin on the next day", async () => {
    const own = service();
    own.tasks.set("7", running({}, [["09:00", "18:00"]]));
    const { gateway, look } = await begun(own);
    await look(0, 5, 10, 15, 20);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(20), resolvedAt: null }]);
    await look(30);
    expect(await all(gateway)).toMatchObject([{ resolvedAt: minute(30), ending: "NOT_RUNNING" }]);
    const morning = 15.5 * 60;
    await look(morning - 1, ...[0, 5, 10, 15].map((each) => morning + each));
    expect(await all(gateway)).toHaveLength(1);
    await look(morning + 20);
    expect((await all(gateway))[0]).toMatchObject({ raisedAt: minute(morning + 20) });
  });

  // https://github.com/ZoneMinder/zmeventnotificationNg/issues/52
  it("counts over midnight where the hours do", async () => {
    const own = service();
    own.tasks.set("7", running({}, [["22:00", "06:00"]]));
    const { gateway, look } = await begun(own);
    const midnight = 6.5 * 60;
    await look(...[-12, -8, -4, 0, 4].map((each) => midnight + each));
    expect(await all(gateway)).toEqual([]);
    await look(midnight + 8);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(midnight + 8) }]);
  });

  it("is not raised while deliveries or tasks of calls cannot be read, and a doubt says so", async () => {
    const { gateway, own, look, doubts } = await begun();
    await look(0, 5);
    const body = Buffer.from("?");
    const unread = { receivedAt: minute(10), reason: "x", charset: null, sessionId: null, body };
    await gateway.store.quarantine.add({ ...unread, kind: "UNREADABLE" });
    await look(10, 14, 18, 22, 26);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("cannot be read")]);
    await end(gateway, own, 28, { taskId: null });
    await look(30, 34, 38, 42, 46);
    expect(await all(gateway)).toEqual([]);
    await look(48);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(48) }]);
    expect(await doubts()).toEqual([]);
  });

  it("is not raised where the service lists calls of which no webhook came, or cannot list them", async () => {
    const { gateway, own, look, doubts } = await begun();
    own.listed = 1;
    await look(...from(0, 5).map((each) => each * 4));
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("of which no webhook has told yet")]);
    own.listed = new Error("The service is away.");
    const { length } = own.lists;
    await look(24);
    expect(own.lists).toHaveLength(length);
    await look(25);
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual(["The calls of task 7 could not be listed."]);
    own.listed = 0;
    await look(28);
    const [alert] = await all(gateway);
    // A look that had begun at the minute before may list the calls now.
    expect([25, 28]).toContain(alert?.value);
  });

  it("stays open with a doubt where the service lists calls later of which no webhook came", async () => {
    const { gateway, own, look, doubts } = await begun();
    await look(...from(0, 5).map((each) => each * 4));
    own.listed = 1;
    await look(23, 26);
    const open = { raisedAt: minute(20), resolvedAt: null };
    expect(await all(gateway)).toMatchObject([open]);
    expect(await doubts()).toEqual([expect.stringContaining("of which no webhook has told yet")]);
    own.listed = 0;
    await look(29, 31);
    expect(await all(gateway)).toMatchObject([open]);
    expect(await doubts()).toEqual([]);
  });

  it("is not raised where nobody says that the task calls on this day, until a call shows it", async () => {
    const own = service();
    own.days = null;
    const { gateway, look, doubts } = await begun(own);
    await look(...from(0, 6).map((each) => each * 4));
    expect(await all(gateway)).toEqual([]);
    expect(await doubts()).toEqual([expect.stringContaining("UPSTREAM_TASK_DAYS does not say")]);
    await end(gateway, own, 25);
    await look(...from(7, 10).map((each) => each * 4));
    await look(44, 45);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(45) }]);
  });

  it("of one task waits for no other task of which the status, hours or answer are missing", async () => {
    const own = service();
    const broken = ["1", "2", "3"];
    own.tasks.set("1", new Error("The service is away."));
    own.tasks.set("2", running({ status: null }));
    own.tasks.set("3", running({}, [["x", "y"]]));
    const { gateway, look, doubts } = await begun(own, [noCalls({ tasks: [...broken, "7"] })]);
    await look(...from(0, 5).map((each) => each * 4));
    expect(await all(gateway)).toMatchObject([{ taskId: "7", raisedAt: minute(20) }]);
    expect(await doubts()).toHaveLength(3);
  });

  it("counts its minutes from the last call where a look comes late", async () => {
    const { gateway, own, look } = await begun(service(), [noCalls()]);
    await look(0, 5, 9);
    await end(gateway, own, 10);
    await look(14, 18, 22, 26, 29.5, 34);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(34), value: 24 }]);
  });

  it("is over with a call that ended while nobody looked, and a new silence is a new alert", async () => {
    const { gateway, own, look, stop } = await begun();
    await look(0, 4, 8, 12, 16, 20);
    await stop();
    await end(gateway, own, 30);
    const second = await watching(gateway, own, [noCalls()]);
    await second.look(100);
    const over = { raisedAt: minute(20), resolvedAt: minute(30), ending: "RECOVERED" };
    expect(await all(gateway)).toMatchObject([over]);
    await second.look(104, 108, 112, 116, 120);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(120), value: 20, resolvedAt: null }, over]);
  });

  it("of forty tasks that are silent is raised of each with the first look that can", async () => {
    const many = from(1, 40).map(String);
    const own = service();
    for (const taskId of many) own.tasks.set(taskId, running({ taskId }));
    const { gateway, look } = await begun(own, [noCalls({ tasks: many })]);
    await look(...from(0, 5).map((each) => each * 4));
    expect(await all(gateway)).toHaveLength(40);
  });

  it("is judged by the log, also while the reader of calls is behind it", async () => {
    const { gateway, own, look } = await begun(service(), [noCalls()], { isStuck: true });
    await look(0, 5, 9);
    await end(gateway, own, 10);
    await look(14, 18, 22, 26, 29);
    expect(await all(gateway)).toEqual([]);
    await look(30);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(30), value: 20 }]);
  });
});

it("A look at silent tasks holds up no stop of the gateway while the service does not answer", async () => {
  const own = service();
  own.tasks.set("7", "never");
  const gateway = await opened((await sqlite.create()).url, own);
  const { stop } = await watching(gateway, own, [noCalls()]);
  await until(() => own.asked.length > 0);
  await stop();
  expect(own.asked).toEqual(["7"]);
});

it("Two gateways raise an alert on a silent task once", async () => {
  const { url } = await postgres.create();
  const own = service();
  const [one, other] = [await opened(url, own), await opened(url, own)];
  const first = await watching(one, own, [noCalls()]);
  await first.look(0);
  const second = await watching(other, own, [noCalls()]);
  await first.look(4, 8, 12, 16, 20);
  await until(async () => (await all(one)).length > 0);
  await first.stop();
  await second.look(21, 22);
  expect(await all(other)).toMatchObject([{ raisedAt: instantOf(at(20)) }]);
  expect(await other.store.alerts.noticesAfter(0, 10)).toHaveLength(1);
});
