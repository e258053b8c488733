// The Tasks view in a real browser: tasks that follow their calls, and a new task from its table to its end, once.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../../console/src/views/tasks/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { findFaults } from "./findFaults.ts";
import {
  confirm,
  creationsAt,
  failCreationOnce,
  fillForm,
  heatMapSums,
  TABLE,
  TEN_O_CLOCK,
  type Failure,
  windows,
} from "./taskForm.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { testTaskByKeyboard } from "./taskByKeyboard.ts";
import { testTasksExport } from "./tasksExport.ts";
import { testUploadedTables } from "./uploadedTable.ts";

const NUMBERS = ["+12025550101", "+12025550102", "+12025550103", "+12025550104", "+12025550105"];

describe.skipIf(!hasChromium)("The console's Tasks view (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let taskId: string;
  beforeAll(async () => {
    stage = await startConsole(
      { speed: 240, now: () => Date.now() + TEN_O_CLOCK },
      { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North" },
    );
    const numbers = NUMBERS.map((number) => ({ number }));
    const seeded = stage.sandbox.control.seed({
      tasks: [
        { id: 7, name: "Autumn survey", status: "running", progress: 40, numbers },
        { id: 8, name: "Reminder", status: "done", progress: 100, numbers },
      ],
    });
    [taskId = ""] = seeded.taskIds;
    await stage.endCall({ taskId: 8, callee: NUMBERS[0], hangupReason: "busy", answered: false });
    stage.sandbox.control.endCall({ taskId: 8, callee: NUMBERS[1], webhook: false });
    await stage.endCall({ taskId: 7, callee: NUMBERS[0], talkTime: 83, hangupReason: "normal" });
    await stage.endCall({ taskId: 7, callee: NUMBERS[1], answered: false, hangupReason: "no answer" });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const rowOf = (page: Page, name: string): Locator => page.locator("[data-key]").filter({ hasText: name });
  const funnelOf = (page: Page) => page.locator("[role=dialog] table").first().locator("tbody tr");

  it("lists each known task with its status, progress and funnel, and says at least where calls are missing", async () => {
    const page = await stage.openAs("ops", "/tasks");
    const row = rowOf(page, "Autumn survey");
    await row.waitFor();
    const cells = await row.getByRole("cell").allInnerTexts();
    expect(cells.map((text) => text.replaceAll(/\s+/g, " ")).slice(0, 6)).toEqual([
      "Autumn survey",
      "Running",
      "40 %",
      "5",
      "2",
      "1 50 %",
    ]);
    await rowOf(page, "Reminder").getByText("at least 1").waitFor();
    await page.context().close();
  });

  testTasksExport(() => stage);

  it("follows the calls of a task in the list and in the details, which have an address of their own", async () => {
    const page = await stage.openAs("ops", "/tasks");
    await rowOf(page, "Autumn survey").getByRole("link").click();
    await page.waitForURL((url) => url.search === `?task=${taskId}`);
    const funnel = funnelOf(page);
    await funnel.filter({ hasText: "Talked 10 s or longer" }).getByText("1", { exact: true }).waitFor();
    await stage.endCall({ taskId: 7, callee: NUMBERS[2], talkTime: 4, hangupReason: "normal" });
    await funnel.filter({ hasText: "Dialled" }).getByText("3", { exact: true }).waitFor();
    await funnel.filter({ hasText: "Answered" }).getByText("2", { exact: true }).waitFor();
    expect(await funnel.filter({ hasText: "Talked" }).innerText()).toMatch(/\b1\b/);
    await rowOf(page, "Autumn survey").getByText("66.7 %").waitFor();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row").filter({ hasText: "no answer" }).getByText("33.3 %").waitFor();
    await until(async () => (await heatMapSums(dialog)).join() === "3,2");
    await dialog.getByText("09:00–18:00 (Asia/Shanghai)").waitFor();
    await dialog.getByText(/^\w{3} \d+ \w{3} \d{4}$/).waitFor();
    await page.reload();
    await dialog.getByRole("heading", { name: "Autumn survey" }).waitFor();
    const toCalls = await dialog.getByRole("link", { name: "Calls of this task" }).getAttribute("href");
    expect(toCalls).toMatch(new RegExp(`^/calls\\?task=${taskId}&(since=.+|range=30d)$`));
    await page.keyboard.press("Escape");
    await until(() => new URL(page.url()).search === "");
    await page.context().close();
  });

  it("says that a task is unknown, and offers no form to a viewer without tasks:create", async () => {
    const page = await stage.openAs("reader", "/tasks?task=999");
    await page.getByRole("dialog").getByText(en.details.missing).waitFor();
    await rowOf(page, "Autumn survey").waitFor();
    await page.goto(`${stage.proxy.url}/tasks?create=1`);
    await rowOf(page, "Autumn survey").waitFor();
    expect(await page.getByRole("link", { name: en.create }).count()).toBe(0);
    expect(await page.locator("textarea").count()).toBe(0);
    await page.context().close();
  });

  const creations = () => creationsAt(stage.sandbox);
  const failOnce = (how: Failure) => failCreationOnce(stage.sandbox, how);

  async function openForm(viewer: string): Promise<Page> {
    const page = await stage.openAs(viewer, "/tasks");
    await page.getByRole("link", { name: "New task" }).click();
    return page;
  }

  it("creates a task from a pasted table, says what it leaves out and does, and follows it to its end", async () => {
    stage.sandbox.control.clearRequests();
    const page = await openForm("ops");
    await fillForm(page, "Winter survey");
    await page.getByText("2 people can be phoned. 3 rows are left out:").waitFor();
    const leftOut = await page.getByRole("region", { name: "Rows that are left out" }).getByRole("row").allInnerTexts();
    expect(leftOut.slice(1)).toEqual([
      "4\t+1 202-555-0111\tThe same number as in row 2: nobody is phoned twice.",
      "5\t1.38E+10\tA spreadsheet rounded it. Format the column as text, and copy it again.",
      "6\tnobody\tIt is not a phone number.",
    ]);
    await page.getByText("This task phones 2 people with “Renewal” over 1 line, with 1 retry 10 min apart.").waitFor();
    // By the gateway's clock, the hours of this day may be over.
    await page
      .getByText(/^\w{3} \d+ \w{3} \d{4}, 00:00–23:59 Asia\/Shanghai.* Wh(ether it also|at the service)/)
      .waitFor();
    await page.getByText("+1 United States, Canada and others: 2 people").waitFor();
    const button = page.getByRole("button", { name: "Phone 2 people" });
    const confirmation = page.getByLabel("Type 2 to confirm");
    for (const wrong of ["", "3", "22"]) {
      await confirmation.fill(wrong);
      expect([wrong, await button.isDisabled()]).toEqual([wrong, true]);
    }
    await confirmation.fill("2");
    await button.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Known as a task").waitFor();
    await dialog.getByRole("status").getByText("Done", { exact: true }).waitFor();
    expect(await dialog.getByText("Winter survey").count()).toBe(1);
    const [request, ...others] = creations();
    expect(others).toEqual([]);
    expect(request?.body).toMatchObject({
      name: "Winter survey",
      numbers: [
        { number: "+12025550111", extra: { 姓名: "Li", 性别: "男", 销售姓名: "Han" } },
        { number: "+12025550112", extra: { 姓名: "Wang", 性别: "女" } },
      ],
      option: { numberFileMeta: { 号码: 0, 姓名: 1, 性别: 2, 销售姓名: 3 }, numbers: [61], retryInterval: 600 },
    });
    expect(await page.evaluate("Object.keys(sessionStorage).filter((key) => key !== 'switchboard-key')")).toEqual([]);
    await page.context().close();
  });

  it("creates one task when the page is loaded again while it is sent, also for a viewer without people:read", async () => {
    stage.sandbox.control.clearRequests();
    failOnce({ kind: "latency", ms: 3000 });
    const page = await openForm("planner");
    await fillForm(page, "Loaded again");
    await confirm(page);
    await page.getByText("Sending the task").first().waitFor();
    await until(() => creations().length === 1);
    await page.reload();
    await page.getByRole("dialog").getByText("Known as a task").waitFor();
    expect(creations().length).toBe(1);
    expect(await page.content()).not.toContain("2025550111");
    await page.context().close();
  });

  it("keeps key and form over failures and reloads until there is an answer, and sends the same task again", async () => {
    stage.sandbox.control.clearRequests();
    const page = await openForm("ops");
    await fillForm(page, "No answer");
    const keys: string[] = [];
    await page.route("**/graphql", async (route) => {
      const text = route.request().postData() ?? "";
      if (!text.includes("createTask(")) return route.fallback();
      keys.push(/"idempotencyKey":"([^"]+)"/.exec(text)?.[1] ?? "");
      return keys.length <= 5 ? route.abort() : route.fallback();
    });
    await confirm(page);
    await page.getByText("There is no answer yet").waitFor();
    await page.reload();
    await page.getByText("The gateway does not have it now.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("No answer");
    expect(creations()).toEqual([]);
    await page.getByRole("button", { name: "Send it again" }).click();
    await page.getByRole("dialog").getByText("Accepted by the service").waitFor();
    expect([new Set(keys).size, keys.length, creations().length]).toEqual([1, 6, 1]);
    await page.context().close();
  });

  it("explains an unclear answer and what to do, and a refusal, which nobody is phoned for", async () => {
    const page = await openForm("ops");
    failOnce({ kind: "status", status: 400 });
    await fillForm(page, "Unclear");
    await confirm(page);
    await page.getByText("The service refused this task, and nobody is phoned.").waitFor();
    failOnce({ kind: "status", status: 500 });
    await page.getByRole("button", { name: "Phone 2 people" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Not confirmed by the service").waitFor();
    await dialog.getByText(/Look at the service before you create the task again/).waitFor();
    await page.getByRole("region", { name: "Sent, not known as a task yet" }).getByText("Unconfirmed").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  testTaskByKeyboard(() => stage);
  testUploadedTables(() => stage);

  it("shows a mistake that the gateway finds at its field, and sends nothing", async () => {
    stage.sandbox.control.clearRequests();
    const page = await openForm("ops");
    await fillForm(page, "With\u0000NUL");
    await page.getByText("The gateway says: it must not contain NUL.").waitFor();
    await page.getByText("Name: it must not contain NUL.").waitFor();
    expect(await page.getByRole("button", { name: "Phone 2 people" }).count()).toBe(0);
    expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(creations()).toEqual([]);
    await page.context().close();
  });

  it.each(windows)("has no fault of accessibility and fits: %s", async (_, options) => {
    const page = await stage.openAs("ops", "/tasks", { ...options, reducedMotion: "reduce" });
    await rowOf(page, "Autumn survey").waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.keyboard.press("j");
    await page.locator("[data-key] a:focus").waitFor();
    await page.keyboard.press("Enter");
    await funnelOf(page).first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.goto(`${stage.proxy.url}/tasks?create=1`);
    await page.locator("textarea").fill(TABLE);
    await page.getByText("1.38E+10", { exact: true }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
