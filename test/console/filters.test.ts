// The console's filters of tasks and assistants in a real browser: their search, and names that several have.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toldApart } from "../../console/src/data/toldApart.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { shownSessions, startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

describe("Names that several tasks or assistants have", () => {
  it("stand with their ID, and others without it", () => {
    const names = new Map([
      ["7", "Autumn survey"],
      ["8", "Autumn survey"],
      ["9", "Winter survey"],
    ]);
    expect([...toldApart(names).values()]).toEqual(["Autumn survey (7)", "Autumn survey (8)", "Winter survey"]);
  });
});

describe.skipIf(!hasChromium)("The console's filters of names (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let sessions: string[];
  beforeAll(async () => {
    stage = await startConsole();
    const named = [7, 8].map((id) => ({ id, name: "Autumn survey" }));
    stage.sandbox.control.seed({ tasks: [...named, { id: 9, name: "Winter survey" }] });
    const ended: string[] = [];
    for (const taskId of [7, 8, 9]) ended.push(await stage.endCall({ taskId }));
    sessions = ended.toReversed();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const options = (page: Page) => page.getByRole("option").allInnerTexts();

  it("find tasks by name and by ID, by keyboard alone, and tell those of one name apart, in the rows, too", async () => {
    const page = await stage.openAs("ops");
    await untilShown(page, sessions);
    for (const text of ["Winter survey", "Autumn survey (8)", "Autumn survey (7)"])
      await page.locator("[data-key]").getByText(text, { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Task: any" }).focus();
    await page.keyboard.press("ArrowDown");
    const search = page.getByPlaceholder("Search by name or ID");
    await search.and(page.locator(":focus")).waitFor();
    await until(async () => (await options(page)).length === 3);
    await page.keyboard.type("wInT");
    await until(async () => (await options(page)).join() === "Winter survey");
    await search.fill("nobody");
    await page.getByText("Nothing found").waitFor();
    await search.fill("8");
    await until(async () => (await options(page)).join() === "Autumn survey (8)");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(async () => (await shownSessions(page)).join() === sessions[1]);
    expect(new URL(page.url()).search).toBe("?task=8");
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Task: Autumn survey (8)" }).waitFor();
    await page.context().close();
  });

  it.each([
    ["in English", { locale: "en-GB" }, /^Task/],
    ["in Chinese and in the dark", { locale: "zh-CN", colorScheme: "dark" }, /^任务/],
  ] as const)("have no fault of accessibility with an open list: %s", async (_, options, name) => {
    const page = await stage.openAs("ops", "/calls?range=1h", { ...options, reducedMotion: "reduce" });
    await untilShown(page, sessions);
    await page.getByRole("combobox", { name }).click();
    await page.getByRole("option").nth(2).waitFor();
    // An open list lies over the landmarks.
    expect(await findFaults(page, ["region"])).toEqual([]);
    await page.context().close();
  });

  it("throw nothing, and keep to the content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
