// The Tasks view in a real browser: the list and the details follow the calls of a task.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../../console/src/views/tasks/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { findFaults } from "./findFaults.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";

const NUMBERS = ["+12025550101", "+12025550102", "+12025550103", "+12025550104", "+12025550105"];

describe.skipIf(!hasChromium)("The console's Tasks view (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let taskId: string;
  beforeAll(async () => {
    stage = await startConsole();
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
  const funnelOf = (page: Page) =>
    page
      .getByRole("dialog")
      .getByRole("table")
      .first()
      .getByRole("row")
      .filter({ has: page.getByRole("cell") });

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

  it("follows the calls of a task in the list and in the details, which have an address of their own", async () => {
    const page = await stage.openAs("ops", "/tasks");
    await rowOf(page, "Autumn survey").getByRole("link").click();
    expect(new URL(page.url()).search).toBe(`?task=${taskId}`);
    const funnel = funnelOf(page);
    await funnel.filter({ hasText: "Talked 10 s or longer" }).getByText("1", { exact: true }).waitFor();
    await stage.endCall({ taskId: 7, callee: NUMBERS[2], talkTime: 4, hangupReason: "normal" });
    await funnel.filter({ hasText: "Dialled" }).getByText("3", { exact: true }).waitFor();
    await funnel.filter({ hasText: "Answered" }).getByText("2", { exact: true }).waitFor();
    expect(await funnel.filter({ hasText: "Talked" }).innerText()).toMatch(/\b1\b/);
    await rowOf(page, "Autumn survey").getByText("66.7 %").waitFor();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row").filter({ hasText: "no answer" }).getByText("33.3 %").waitFor();
    await dialog.getByText(/^3 calls, 2 answered, answer rate 66.7\s%$/).waitFor({ state: "attached" });
    await page.reload();
    await dialog.getByRole("heading", { name: "Autumn survey" }).waitFor();
    await page.keyboard.press("Escape");
    await until(() => new URL(page.url()).search === "");
    await page.context().close();
  });

  it("says that a task is unknown", async () => {
    const page = await stage.openAs("reader", "/tasks?task=999");
    await page.getByRole("dialog").getByText(en.details.missing).waitFor();
    await rowOf(page, "Autumn survey").waitFor();
    expect(await funnelOf(page).count()).toBe(0);
    await page.context().close();
  });

  const windows: [string, BrowserContextOptions][] = [
    ["in a wide, light window", {}],
    [
      "in a window of 360 px, dark and in Chinese",
      { viewport: { width: 360, height: 740 }, colorScheme: "dark", locale: "zh-CN" },
    ],
  ];
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
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
