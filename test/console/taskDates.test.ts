// The day and the hours of a new task in a real browser: the same fields in each language, by keyboard, typed, or from a calendar.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../../console/src/ui/dateTime/texts/en.ts";
import { zh } from "../../console/src/ui/dateTime/texts/zh.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

describe.skipIf(!hasChromium)("The day and hours of a new task (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const open = (locale: string, own: object = {}) =>
    stage.openSignedIn("planner", "/tasks?create=1", { locale, reducedMotion: "reduce", ...own });
  const day = (page: Page) => page.getByRole("textbox", { name: /^(First day|开始日期)$/ });
  const leave = (page: Page) => page.keyboard.press("Tab");

  it("are typed in ISO or in the viewer's usual writing, and shown as they were understood", async () => {
    for (const [locale, written, iso, words] of [
      ["en-GB", "3/4/2027", "2027-04-03", "Sat 3 Apr 2027"],
      ["en-US", "3/4/2027", "2027-03-04", "Thu 4 Mar 2027"],
      ["en-US", "26 November 2026", "2026-11-26", "Thu 26 Nov 2026"],
      ["zh-CN", "2026年11月26日", "2026-11-26", "2026年11月26日周四"],
    ] as const) {
      const page = await open(locale);
      expect(await page.locator("input[type=date], input[type=time]").count()).toBe(0);
      await day(page).fill(written);
      await page.getByText(words, { exact: true }).waitFor();
      await day(page).focus();
      await leave(page);
      expect([locale, written, await day(page).inputValue()]).toEqual([locale, written, iso]);
      await page.context().close();
    }
  });

  it("say what is right where a text is no date or time, when the field is left and not before", async () => {
    const page = await open("en-GB");
    await day(page).fill("2027-02-30");
    expect(await page.getByRole("alert").filter({ hasText: /\S/ }).count()).toBe(0);
    await leave(page);
    await page.getByRole("alert").filter({ hasText: "February 2027 has 28 days." }).waitFor();
    expect(await day(page).getAttribute("aria-invalid")).toBe("true");
    await day(page).fill("0206-11-26");
    await leave(page);
    await page.getByText(en.noYear("2000", "2199")).waitFor();
    await day(page).fill("26 Nov");
    await leave(page);
    await page.getByText("Write a date as 2026-11-26 or 26/11/2026, with its year.").waitFor();
    await day(page).fill("26 Nov 2026");
    const from = page.getByLabel("From");
    await from.fill("25");
    await leave(page);
    await page.getByText(en.noTime).waitFor();
    expect(await from.getAttribute("aria-invalid")).toBe("true");
    expect(await findFaults(page)).toEqual([]);
    await from.fill("6 pm");
    await leave(page);
    expect(await from.inputValue()).toBe("18:00");
    // It ends when it begins.
    await page.getByRole("alert").filter({ hasText: "Each time of day must end after it begins." }).waitFor();
    await from.fill("9");
    await leave(page);
    await page.getByLabel("Until").fill("24:00");
    await leave(page);
    await until(async () => (await page.getByRole("alert").filter({ hasText: /\S/ }).count()) === 0);
    expect(await page.getByLabel("Until").inputValue()).toBe("24:00");
    await page.context().close();
  });

  it("are stepped by the arrow keys", async () => {
    const page = await open("en-GB");
    await day(page).fill("2026-12-31");
    await page.keyboard.press("ArrowUp");
    expect(await day(page).inputValue()).toBe("2027-01-01");
    await page.keyboard.press("ArrowDown");
    expect(await day(page).inputValue()).toBe("2026-12-31");
    await page.getByLabel("Until").focus();
    for (const key of ["ArrowUp", "ArrowUp", "ArrowDown"]) await page.keyboard.press(key);
    expect(await page.getByLabel("Until").inputValue()).toBe("18:15");
    await page.context().close();
  });

  it("has a calendar that works by keyboard alone, and gives the focus back", async () => {
    const page = await open("en-GB");
    await day(page).fill("2026-11-26");
    await leave(page);
    const opener = page.getByRole("button", { name: en.openCalendar });
    await opener.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    const focused = (name: string) => page.getByRole("button", { name }).and(page.locator(":focus")).waitFor();
    await focused("Thursday 26 November 2026");
    await page.keyboard.press("PageDown");
    await focused("Saturday 26 December 2026");
    await page.keyboard.press("Home");
    await focused("Monday 21 December 2026");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await focused("Tuesday 29 December 2026");
    await page.keyboard.press("Enter");
    await page.getByText("Tue 29 Dec 2026", { exact: true }).waitFor();
    expect(await day(page).inputValue()).toBe("2026-12-29");
    await opener.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await focused("Tuesday 29 December 2026");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Escape");
    await opener.and(page.locator(":focus")).waitFor();
    expect(await day(page).inputValue()).toBe("2026-12-29");
    await page.context().close();
  });

  it.each([
    ["in a wide, light window", "en-GB", {}],
    [
      "in a window of 360 px, dark and in Chinese",
      "zh-CN",
      { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
    ],
  ])("have no fault of accessibility and fit, with the calendar open: %s", async (_, locale, own) => {
    const page = await open(locale, own);
    await day(page).fill("2026-11-26");
    await page.getByRole("button", { name: locale === "zh-CN" ? zh.openCalendar : en.openCalendar }).click();
    await page.getByRole("grid").waitFor();
    // An open calendar lies over the landmarks.
    expect(await findFaults(page, ["region"])).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
