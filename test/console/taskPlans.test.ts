// Plans that are kept and used again, in a real browser: saved without people, copied from an earlier task, and sent tasks put aside.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en as create } from "../../console/src/views/tasks/create/texts/en.ts";
import { en } from "../../console/src/views/tasks/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { proposeTo } from "./proposing.ts";
import { confirm, failCreationOnce, fillForm, TABLE, TEN_O_CLOCK, windows } from "./taskForm.ts";

describe.skipIf(!hasChromium)("Kept plans of tasks (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let taskId: string;
  beforeAll(async () => {
    stage = await startConsole(
      { now: () => Date.now() + TEN_O_CLOCK },
      { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North" },
    );
    const seeded = stage.sandbox.control.seed({
      tasks: [
        {
          name: "Autumn survey",
          status: "done",
          assistantId: 11,
          lines: [61],
          startTime: [
            ["09:00", "12:00"],
            ["14:00", "17:30"],
          ],
          retryCount: 3,
        },
      ],
    });
    [taskId = ""] = seeded.taskIds;
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const form = (page: Page) => page.getByRole("group", { name: create.title });
  const name = (page: Page) => page.getByLabel("Name", { exact: true });
  const periodsOf = async (page: Page) => {
    const read = async (label: string) =>
      Promise.all((await page.getByLabel(label).all()).map((field) => field.inputValue()));
    return [await read("From"), await read("Until")];
  };

  it("saves a plan in this browser without its people, and goes on with it in another tab", async () => {
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    await fillForm(page, "Winter survey");
    await page.getByText(create.plans.hint).waitFor();
    await page.getByRole("button", { name: create.plans.save }).click();
    await page.getByText(create.plans.saved).waitFor();
    const kept = await page.evaluate<string>("JSON.stringify({ ...localStorage })");
    expect(kept).toContain("Winter survey");
    expect(kept).not.toMatch(/202555|Li,|Wang/);

    // Saving again replaces it.
    await name(page).fill("Winter survey 2");
    await page.getByRole("button", { name: create.plans.save }).click();
    const list = page.getByRole("region", { name: create.plans.title }).getByRole("listitem");
    await list.filter({ hasText: "Winter survey 2" }).waitFor();
    expect(await list.count()).toBe(1);

    // What is not saved is replaced only after a question.
    await name(page).fill("Spring survey");
    await page.getByRole("button", { name: create.plans.openNamed("Winter survey 2") }).click();
    const question = page.getByRole("alertdialog", { name: create.plans.replaces });
    await question.getByRole("button", { name: create.plans.cancel }).click();
    expect(await name(page).inputValue()).toBe("Spring survey");
    await page.getByRole("button", { name: create.plans.openNamed("Winter survey 2") }).click();
    await question.getByRole("button", { name: create.plans.replace }).click();
    await until(async () => (await name(page).inputValue()) === "Winter survey 2");
    expect(await page.locator("textarea").inputValue()).toBe(TABLE);

    const other = await page.context().newPage();
    await other.goto(stage.proxy.url);
    await other.evaluate(`sessionStorage.setItem("switchboard-key", ${JSON.stringify(await keyIn(page))})`);
    await other.goto(`${stage.proxy.url}/tasks?create=1`);
    await other.getByRole("button", { name: create.plans.openNamed("Winter survey 2") }).click();
    expect([await name(other).inputValue(), await periodsOf(other)]).toEqual([
      "Winter survey 2",
      [["00:00"], ["23:59"]],
    ]);
    expect(await other.getByRole("checkbox", { name: "North (61)" }).isChecked()).toBe(true);
    expect(await other.locator("textarea").inputValue()).toBe("");
    expect(await findFaults(other)).toEqual([]);
    await other.getByRole("button", { name: create.plans.removeNamed("Winter survey 2") }).click();
    await other.getByText(create.plans.removed).waitFor();
    expect(await other.evaluate<string>("localStorage.getItem('switchboard-plans')")).not.toContain("survey");
    await page.context().close();
  });

  it("copies an earlier task without its people, and asks before it replaces a plan that was not sent", async () => {
    const page = await stage.openSignedIn("planner", `/tasks?task=${taskId}`);
    const copy = page.getByRole("dialog").getByRole("button", { name: en.copy.copy });
    await copy.click();
    await form(page).getByText("Copied from “Autumn survey”, without its people.").waitFor();
    expect([await name(page).inputValue(), await periodsOf(page)]).toEqual([
      "Autumn survey",
      [
        ["09:00", "14:00"],
        ["12:00", "17:30"],
      ],
    ]);
    expect(await page.getByRole("combobox", { name: "Assistant" }).inputValue()).toBe("11");
    // The line has a box, and is no other one.
    expect(await page.getByLabel(create.otherLines).inputValue()).toBe("");
    await until(() => page.getByRole("checkbox", { name: "North (61)" }).isChecked());
    expect(await page.getByLabel("Retries when nobody answers").inputValue()).toBe("3");
    await page.locator("textarea").fill(TABLE);
    await page.getByText("2 people can be phoned.").waitFor();

    await page.goto(`${stage.proxy.url}/tasks?task=${taskId}`);
    await copy.click();
    await page.getByText(en.copy.isBegun).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("button", { name: en.copy.openIt }).click();
    expect(await page.locator("textarea").inputValue()).toContain("+12025550111");
    await page.goBack();
    await copy.click();
    await page.getByRole("button", { name: en.copy.replace }).click();
    await form(page)
      .getByText(/^Copied from/)
      .waitFor();
    expect(await page.locator("textarea").inputValue()).toBe("");
    await page.context().close();
  });

  it("offers lines in an order that stays, those of the settings first, and shows others as IDs", async () => {
    const { taskIds } = stage.sandbox.control.seed({
      tasks: [
        { name: "One", lines: [900] },
        { name: "Two", lines: [81] },
      ],
    });
    const page = await stage.openSignedIn("planner", "/tasks");
    const boxes = page.getByRole("group", { name: "Lines" }).locator("label");
    for (const order of [taskIds, taskIds.toReversed()]) {
      for (const id of order) {
        await page.goto(`${stage.proxy.url}/tasks?task=${id}`);
        await page
          .getByRole("dialog")
          .getByText(/^ID (81|900)$/)
          .waitFor();
      }
      await page.goto(`${stage.proxy.url}/tasks?create=1`);
      await until(async () => (await boxes.count()) === 3);
      expect(await boxes.allInnerTexts()).toEqual(["North (61)", "ID 81", "ID 900"]);
    }
    // An ID that begins like a known one is not taken for it.
    const others = page.getByLabel(create.otherLines);
    await others.pressSequentially("819, 5");
    expect([await others.inputValue(), await page.getByRole("checkbox", { checked: true }).count()]).toEqual([
      "819, 5",
      0,
    ]);
    await page.context().close();
  });

  it("copies a proposal, and offers no copy to a viewer that creates no tasks", async () => {
    const id = encodeURIComponent(await proposeTo(stage.gateway, "Proposed plan"));
    const page = await stage.openSignedIn("proposer", `/tasks?submission=${id}`);
    await page.getByRole("dialog").getByRole("button", { name: en.copy.copy }).click();
    await page.getByText(/^Copied from “Proposed plan”/).waitFor();
    expect([await name(page).inputValue(), await periodsOf(page)]).toEqual(["Proposed plan", [["09:00"], ["18:00"]]]);
    expect(await page.getByLabel("Minutes between retries").inputValue()).toBe("10");
    await page.context().close();
    const reader = await stage.openSignedIn("reader", `/tasks?task=${taskId}`);
    await reader.getByRole("dialog").getByRole("heading", { name: "Autumn survey" }).waitFor();
    expect(await reader.getByRole("button", { name: en.copy.copy }).count()).toBe(0);
    await reader.context().close();
  });

  it("puts a sent task aside that waits for its task, and lists it again", async () => {
    const page = await stage.openSignedIn("ops", "/tasks?create=1");
    await fillForm(page, "Never found");
    failCreationOnce(stage.sandbox, { kind: "status", status: 500 });
    await confirm(page);
    const sent = page.getByRole("region", { name: en.sent });
    await page.getByRole("dialog").getByText("Not confirmed by the service").waitFor();
    await page.keyboard.press("Escape");
    const row = sent.getByRole("listitem").filter({ hasText: "Never found" });
    await row.getByRole("button", { name: en.aside.putNamed("Never found") }).click();
    await until(async () => (await row.count()) === 0);
    await page.reload();
    await sent.getByRole("button", { name: en.aside.show("1") }).click();
    await sent.getByText(en.aside.hint).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await row.getByRole("button", { name: en.aside.backNamed("Never found") }).click();
    await row.getByRole("button", { name: en.aside.putNamed("Never found") }).waitFor();
    expect(await sent.getByRole("button", { name: /put aside$/ }).count()).toBe(0);
    await page.context().close();
  });

  it.each(windows)("have no fault of accessibility and fit: %s", async (_, options) => {
    const page = await stage.openSignedIn("planner", `/tasks?task=${taskId}`, { ...options, reducedMotion: "reduce" });
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^(Copy this plan|复制此计划)$/ })
      .click();
    await page.getByRole("button", { name: /^(Save this plan for later|保存此计划，稍后继续)$/ }).click();
    await page.getByRole("region", { name: /^(Saved plans|已保存的计划)$/ }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});

const keyIn = (page: Page) => page.evaluate<string>("sessionStorage.getItem('switchboard-key')");
