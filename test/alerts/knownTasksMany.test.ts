// Many known tasks, and several gateways, for rules that name no task.
import { expect, it } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { any, fours, know } from "./knownWorld.ts";
import { from, opened, running, service, watching } from "./silentWorld.ts";

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
