// Rules that watch several tasks together, while some of them end, or while nobody says whether they call.
import { expect, it } from "vitest";
import { sqlite } from "../store/databases.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { any, fours, know, of } from "./knownWorld.ts";
import { end, noCalls, opened, running, service, watching } from "./silentWorld.ts";

const { all } = alertSetup;

it.each([{ of: "all" }, { of: "assistant" }])(
  "Tasks that are watched together ($of) are silent from the last call on, also where its task has ended since",
  async (by) => {
    const own = service();
    own.tasks.set("7", running(of("70")));
    own.tasks.set("8", running({ taskId: "8", ...of("70") }));
    const gateway = await opened((await sqlite.create()).url, own);
    const { look } = await watching(gateway, own, [any({ ...by, minutes: 40 })]);
    await know(gateway, 0, "7", "8");
    for (const each of fours(32)) {
      await end(gateway, own, each, { taskId: "7" });
      await know(gateway, each, "7");
      await look(each);
    }
    own.tasks.set("7", running({ status: "done", updatedAt: minute(33), ...of("70") }));
    await look(...fours(68, 36));
    expect(await all(gateway)).toEqual([]);
    await look(72);
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(72), value: 40, resolvedAt: null }]);
    // Calls of the one that has ended may be without a webhook, too.
    expect(own.lists).toContainEqual(["7", "8"]);
    await look(...fours(120, 76));
    expect(await all(gateway)).toMatchObject([{ raisedAt: minute(72), resolvedAt: null }]);
  },
);

it("Tasks that are watched together count from when one runs that is known to call", async () => {
  const own = { ...service(), days: null };
  own.tasks.set("7", running({}, [["00:00", "24:00"]], "2026-11-19"));
  own.tasks.set("8", running({ taskId: "8" }, [["18:30", "24:00"]], "2026-11-20"));
  const gateway = await opened((await sqlite.create()).url, own);
  const { look, doubts } = await watching(gateway, own, [noCalls({ of: "all", tasks: ["7", "8"] })]);
  await look(...fours(56));
  expect(await doubts()).toEqual([expect.stringContaining("UPSTREAM_TASK_DAYS does not say")]);
  await look(...fours(76, 60));
  expect(await all(gateway)).toEqual([]);
  expect(await doubts()).toEqual([]);
  await look(80);
  expect(await all(gateway)).toMatchObject([{ raisedAt: minute(80), value: 20 }]);
});

it("A rule on silence that writes out that it watches each task on its own goes on with its alerts", async () => {
  const own = service();
  const gateway = await opened((await sqlite.create()).url, own);
  const first = await watching(gateway, own, [noCalls()]);
  await first.look(...fours(20));
  await first.stop();
  const second = await watching(gateway, own, [noCalls({ of: "task" })]);
  await second.look(24, 28);
  expect(await all(gateway)).toMatchObject([{ raisedAt: minute(20), resolvedAt: null }]);
});

it.each([{ of: "all" }, { of: "task" }])(
  "A task that has long ended, and cannot be read when it is asked about again, is no doubt of a rule ($of)",
  async (by) => {
    const own = service();
    own.tasks.set("7", running({ status: "done", updatedAt: minute(-60) }));
    const gateway = await opened((await sqlite.create()).url, own);
    const told: string[] = [];
    const { taskLooks } = gateway.store;
    const { saveDoubts } = taskLooks;
    taskLooks.saveDoubts = async (doubts, ...more) => {
      told.push(...[...doubts.values()].flat());
      await saveDoubts(doubts, ...more);
    };
    const { look } = await watching(gateway, own, [any(by)]);
    await know(gateway, -60, "7");
    await look(0, 30);
    own.tasks.set("7", new Error("The service is away."));
    const { length } = own.asked;
    await look(64);
    expect(own.asked.length).toBeGreaterThan(length);
    const ofTask = () => new Set(told.splice(0).filter((doubt) => doubt.includes("ask 7")));
    expect(ofTask()).toEqual(new Set());
    // It goes on.
    await know(gateway, 66, "7");
    await look(68);
    expect(ofTask()).toEqual(new Set(["Task 7 could not be read from the service."]));
  },
);
