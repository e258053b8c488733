// What the form of a new task says where the gateway refuses a plan, or cannot say what it would do.
import type { Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../../console/src/views/tasks/plan/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { creationsAt, fillForm, TEN_O_CLOCK } from "./taskForm.ts";

const isCheck = (route: Route) => route.request().postData()?.includes("checkTask(") === true;

describe.skipIf(!hasChromium)("The check before a task is sent (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole(
      { now: () => Date.now() + TEN_O_CLOCK },
      { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North", UPSTREAM_TASK_DAYS: "first" },
    );
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("asks nothing while the gateway does not answer it, and goes on when it does", async () => {
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    let isAway = true;
    await page.route("**/graphql", (route) => (isAway && isCheck(route) ? route.abort() : route.fallback()));
    await fillForm(page, "Checked");
    await page.getByRole("alert").filter({ hasText: en.checkFailed }).waitFor();
    expect(await page.getByRole("button", { name: /^Phone/ }).count()).toBe(0);
    isAway = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Phone 2 people" }).waitFor();
    // It is known that it calls on this day only.
    await page.getByText(/^On \w{3} \d+ \w{3} \d{4}, 00:00–23:59 Asia\/Shanghai/).waitFor();
    expect(await page.getByText(en.daysUnknown).count()).toBe(0);
    await page.context().close();
  });

  it("asks again by itself after a failure, and says when", async () => {
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    await page.clock.install();
    let isAway = true;
    await page.route("**/graphql", (route) => (isAway && isCheck(route) ? route.abort() : route.fallback()));
    await fillForm(page, "Asked again");
    await page.getByRole("alert").filter({ hasText: en.checkFailed }).waitFor();
    await page.getByText(/^Trying again in \d+ s/).waitFor();
    isAway = false;
    await page.clock.fastForward(60_000);
    await page.getByRole("button", { name: "Phone 2 people" }).waitFor();
    expect(await page.getByText(en.checkFailed).count()).toBe(0);
    await page.context().close();
  });

  it("asks again soon where it has begun by the browser's clock, and not yet by the gateway's", async () => {
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    await page.clock.install();
    let isBehind = true;
    await page.route("**/graphql", async (route) => {
      if (!isBehind || !isCheck(route)) return route.fallback();
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { checkTask: { schedule: object } } };
      const startsAt = new Date(Date.now() - 60_000).toISOString();
      Object.assign(answer.data.checkTask.schedule, { begin: "LATER", startsAt });
      return route.fulfill({ response, json: answer });
    });
    await fillForm(page, "Begun");
    await page.getByText("Starts in 1 minute.").waitFor();
    isBehind = false;
    await page.clock.fastForward(10_000);
    await until(async () => (await page.getByText("Starts in 1 minute.").count()) === 0);
    await page.getByRole("button", { name: "Phone 2 people" }).waitFor();
    expect(await page.getByText(/^On .* Starts in/).count()).toBe(0);
    await page.context().close();
  });

  it("says that all hours are over, and asks anew after each change", async () => {
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    await fillForm(page, "Of last year");
    await page.getByLabel("Type 2 to confirm").fill("2");
    await page.getByLabel("First day").fill("2025-11-20");
    await page.getByText("On Thu 20 Nov 2025, 00:00–23:59 Asia/Shanghai").waitFor();
    await page.getByText(en.over).waitFor();
    expect(await page.getByLabel("Type 2 to confirm").inputValue()).toBe("");
    expect(await page.getByRole("button", { name: "Phone 2 people" }).isDisabled()).toBe(true);
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it("names a number of the never-call list before it asks, and sends nothing", async () => {
    const add = 'mutation { addToDoNotCall(numbers: ["+12025550112"]) { changed } }';
    const { errors } = await stage.gateway.ask(add, {}, { authorization: bearer("admin") });
    expect(errors).toBeUndefined();
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    await fillForm(page, "Never");
    await page.getByRole("alert").filter({ hasText: en.refused }).waitFor();
    await page.getByRole("alert").filter({ hasText: "A number is in the never-call list." }).waitFor();
    // The table names its row.
    await page
      .getByRole("alert")
      .filter({ hasText: /Row 3: / })
      .waitFor();
    expect(await page.getByRole("button", { name: /^Phone/ }).count()).toBe(0);
    expect([creationsAt(stage.sandbox), await findFaults(page)]).toEqual([[], []]);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
