import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../../support/events.ts";
import { until } from "../../support/until.ts";
import type { ReactPage } from "./browser.ts";
import { createWorld, hasBrowser } from "./world.ts";

interface Shown {
  task: { taskId: string; name: string; progress: number } | null;
  loading: boolean;
  error: { code: string } | null;
}

describe.skipIf(!hasBrowser)("useTask under StrictMode", () => {
  const world = createWorld();
  const seed = (id: number, progress: number) =>
    world.sandbox.control.seed({ tasks: [{ id, name: `Task ${id}`, status: "running", progress }] });
  const shown = async (page: ReactPage) => (await page.run("result")) as Shown;
  const loaded = (page: ReactPage) =>
    until(async () => {
      const now = await shown(page);
      return !now.loading && now;
    });

  it("shows the task now and again when it proceeds, and ends its subscription when it is unmounted", async () => {
    seed(7, 40);
    await using page = await world.open();
    await page.run("mount", "task", { taskId: "7" });
    expect(await loaded(page)).toMatchObject({ task: { taskId: "7", name: "Task 7", progress: 40 }, error: null });
    seed(7, 50);
    await world.gateway.deliver(callEndedEvent({ task_id: 7 }));
    await until(async () => (await shown(page)).task?.progress === 50);
    expect(page.sockets()).toBe(1);
    await page.run("unmount");
    await until(() => page.sockets() === 0);
    expect(page.problems).toEqual([]);
  });

  it("shows another task after its ID changed, and null for one that does not exist", async () => {
    seed(8, 10);
    seed(9, 20);
    await using page = await world.open();
    await page.run("mount", "task", { taskId: "8" });
    expect((await loaded(page)).task).toMatchObject({ taskId: "8" });
    await page.run("update", { taskId: "9" });
    await until(async () => (await shown(page)).task?.taskId === "9");
    await page.run("update", { taskId: "404" });
    await until(async () => (await shown(page)).task === null);
    expect(await loaded(page)).toEqual({ task: null, loading: false, error: null });
  });

  it("subscribes to nothing without an ID", async () => {
    await using page = await world.open();
    await page.run("mount", "task", { taskId: null });
    expect(await shown(page)).toEqual({ task: null, loading: false, error: null });
    expect(await page.run("state")).toBe("idle");
  });

  it("shows why the task cannot be read, and the task again when it can", async () => {
    seed(10, 30);
    await using page = await world.open();
    await page.run("mount", "task", { taskId: "10" });
    await loaded(page);
    world.sandbox.control.addFault({ kind: "status", status: 503, match: { method: "GET", path: "/openapi/task" } });
    await world.gateway.deliver(callEndedEvent({ task_id: 10 }));
    const failed = await until(async () => {
      const now = await shown(page);
      return now.error !== null && now;
    });
    expect(failed.task).toMatchObject({ taskId: "10" });
    world.sandbox.control.clearFaults();
    await world.gateway.deliver(callEndedEvent({ task_id: 10 }));
    await until(async () => (await shown(page)).error === null);
  });
});
