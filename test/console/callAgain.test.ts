// A second round of a campaign in a real browser: the people of a task, the form that is filled in, and who is phoned.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en as create } from "../../console/src/views/tasks/create/texts/en.ts";
import { zh as createZh } from "../../console/src/views/tasks/create/texts/zh.ts";
import { en as proposals } from "../../console/src/views/tasks/proposals/texts/en.ts";
import { en } from "../../console/src/views/tasks/texts/en.ts";
import { zh } from "../../console/src/views/tasks/texts/zh.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { proposeTo } from "./proposing.ts";
import { creationsAt, TEN_O_CLOCK } from "./taskForm.ts";

describe.skipIf(!hasChromium)("Calling people again (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let taskId = "";
  let running = "";
  let third = "";
  beforeAll(async () => {
    // The first call ends a minute before the others: which of two in the same second is the last one is not known.
    let earlierMs = 60_000;
    stage = await startConsole(
      { now: () => Date.now() + TEN_O_CLOCK - earlierMs },
      { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North" },
    );
    const plan = { assistantId: 11, lines: [61], startTime: [["00:00", "23:59"]], retryCount: 2 };
    const seeded = stage.sandbox.control.seed({
      tasks: [
        { name: "Autumn survey", status: "done", ...plan },
        { name: "Still calling", status: "running", total: 50, ...plan },
        { name: "Winter survey", status: "done", ...plan },
      ],
    });
    [taskId = "", running = "", third = ""] = seeded.taskIds;
    const outcomes = [
      {},
      { answered: false, hangupReason: "USER_BUSY" },
      { answered: false, hangupReason: "NO_ANSWER" },
    ];
    // The same person as the last one, in another writing.
    await stage.endCall({ answered: false, hangupReason: "NO_ANSWER", taskId, callee: "2025550102" });
    earlierMs = 0;
    // Nobody of the third task is in a round of the first one.
    for (const [at, own] of outcomes.entries())
      for (const id of seeded.taskIds)
        await stage.endCall({
          ...own,
          taskId: id,
          callee: `+120255501${id === third ? 3 : 0}${at}`,
          extra: { 姓名: "Li" },
        });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("fills the form in, says who is left out, and phones the others", async () => {
    const page = await stage.openSignedIn("planner", `/tasks?task=${taskId}`, {
      viewport: { width: 360, height: 800 },
      colorScheme: "dark",
    });
    const again = page.getByRole("button", { name: en.copy.again("2") });
    await again.waitFor();
    await page.getByText("1 busy", { exact: false }).waitFor();
    await page.getByRole("row", { name: `${en.details.dialled} 3` }).waitFor();
    await page.getByRole("row", { name: `${en.details.answered} 1` }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await again.click();
    await page.getByText(create.again.called("2")).waitFor();
    await page.getByText(create.again.why.REACHED("1")).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Autumn survey");
    expect(await page.getByRole("combobox", { name: "Assistant" }).inputValue()).toBe("11");
    await until(() => page.getByRole("checkbox", { name: "North (61)" }).isChecked());
    expect(await page.locator("body").innerText()).not.toContain("2025550");
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.getByLabel("Type 2 to confirm").fill("2");
    await page.getByRole("button", { name: "Phone 2 people" }).click();
    await until(() => creationsAt(stage.sandbox).length === 1);
    const [sent] = creationsAt(stage.sandbox);
    const body = sent?.body as { numbers: { number: string; extra: object }[] };
    expect(body).toMatchObject({
      name: "Autumn survey",
      assistantId: 11,
      option: { numbers: [61], startTime: [["00:00", "23:59"]], retryCount: 2 },
    });
    expect(body.numbers).toMatchObject([
      { number: "+12025550102", extra: { 姓名: "Li" } },
      { number: "+12025550101", extra: { 姓名: "Li" } },
    ]);
    await page.context().close();
  });

  it("shows an approver whom a proposed round leaves out, and why", async () => {
    const id = await proposeTo(stage.gateway, "Third round", "proposer", { numbers: null, from: { taskId: third } });
    const page = await stage.openSignedIn("approver", `/tasks?submission=${encodeURIComponent(id)}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText(proposals.notAgain).waitFor();
    await dialog.getByText(create.again.why.REACHED("1")).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it("offers it in Chinese, and not while a task still calls, nor to viewers who may not create tasks", async () => {
    const chinese = await stage.openSignedIn("planner", `/tasks?task=${taskId}`, { locale: "zh-CN" });
    await chinese.getByRole("button", { name: zh.copy.again("2") }).click();
    await chinese.getByText(createZh.again.from("Autumn survey")).waitFor();
    expect(await findFaults(chinese)).toEqual([]);
    await chinese.getByRole("button", { name: createZh.again.useTable }).click();
    await chinese.locator("textarea").waitFor();
    await chinese.context().close();
    const planner = await stage.openSignedIn("planner", `/tasks?task=${running}`);
    await planner.getByText(en.details.againWhenOver).waitFor();
    expect(await planner.getByRole("button", { name: en.copy.again("2") }).count()).toBe(0);
    await planner.context().close();
    const reader = await stage.openSignedIn("reader", `/tasks?task=${taskId}`);
    await reader.getByText(en.details.missed).waitFor();
    expect(await reader.getByRole("button", { name: en.copy.again("2") }).count()).toBe(0);
    expect(stage.faults).toEqual([]);
  });
});
