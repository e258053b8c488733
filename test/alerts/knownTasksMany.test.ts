// Many known tasks, and several gateways, for rules that name no task.
import { expect, it } from "vitest";
import type { Alert } from "../../src/store/alerts/alertRows.ts";
import { postgres, sqlite } from "../store/databases.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { any, fours, know } from "./knownWorld.ts";
import { end, from, opened, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;

it("A rule that names no task asks about fifty a minute at most, all in turn, and raises of each that is silent", async () => {
  const own = service();
  const gateway = await opened((await sqlite.create()).url, own);
  const { look, doubts } = await watching(gateway, own, [any()]);
  const many = from(1, 70).map(String);
  for (const taskId of many) own.tasks.set(taskId, running({ taskId }));
  await know(gateway, 0, ...many);
  await look(...fours(24));
  expect(await gateway.store.alerts.openCounts()).toEqual(new Map([["silence", 70]]));
  expect(await doubts()).toEqual([]);
  const more = from(201, 360).map(String);
  for (const taskId of more) own.tasks.set(taskId, running({ taskId }));
  await know(gateway, 24, ...more);
  await look(25);
  const text = "95 more tasks that the gateway knows cannot be watched: the service is asked about 50 tasks a minute.";
  expect(await doubts()).toEqual([text]);
});

it("An alert of a task that loses its place to others stays open, is told once, and ends with its next call", async () => {
  const own = service();
  const gateway = await opened((await sqlite.create()).url, own);
  const others = from(201, 335).map(String);
  for (const taskId of ["7", ...others]) own.tasks.set(taskId, running({ taskId }));
  const { look, doubts } = await watching(gateway, own, [any()]);
  await know(gateway, 0, "7");
  await look(...fours(20));
  for (const active of [21, 25, 29]) {
    await know(gateway, active, ...others);
    await look(active + 1);
    expect(await doubts()).toEqual([expect.stringContaining("1 more task that the gateway knows")]);
    await know(gateway, active + 2, "7");
    await look(active + 3);
  }
  const isOwn = ({ taskId }: Alert) => taskId === "7";
  expect((await all(gateway)).filter(isOwn)).toMatchObject([{ raisedAt: minute(20), resolvedAt: null }]);
  await end(gateway, own, 33);
  await know(gateway, 33, "7");
  await look(34);
  expect((await all(gateway)).filter(isOwn)).toMatchObject([{ resolvedAt: minute(33), ending: "RECOVERED" }]);
});

it("Tasks that are watched together are silent also where the one that runs has to wait for its turn", async () => {
  const own = service();
  const gateway = await opened((await sqlite.create()).url, own);
  const many = from(1, 110).map(String);
  for (const taskId of many)
    own.tasks.set(taskId, running({ taskId, status: taskId === "60" ? "running" : "pending" }));
  await know(gateway, 0, ...many);
  const { look, doubts } = await watching(gateway, own, [any({ of: "all" })]);
  await look(0, 1);
  for (const each of fours(24, 4)) {
    await look(each);
    expect(await doubts()).toEqual([]);
  }
  expect(await all(gateway)).toMatchObject([{ subject: "all", resolvedAt: null }]);
  own.tasks.set("60", running({ taskId: "60", status: "pending" }));
  await look(25, 26, 27);
  expect(await all(gateway)).toMatchObject([{ ending: "NOT_RUNNING" }]);
});

it("Two gateways tell once of a task that either has seen, and the second goes on with what the first has seen", async () => {
  const { url } = await postgres.create();
  const own = service();
  own.tasks.set("8", running({ taskId: "8", status: "done", updatedAt: minute(-60) }));
  const [one, other] = [await opened(url, own), await opened(url, own)];
  await know(other, -60, "7", "8");
  const first = await watching(one, own, [any()]);
  await first.look(0, 4, 8);
  await first.stop();
  own.asked.length = 0;
  const second = await watching(other, own, [any()]);
  await second.look(12, 16, 20);
  expect(await all(one)).toMatchObject([{ taskId: "7", raisedAt: minute(20) }]);
  expect(own.asked).not.toContain("8");
});
