// The console's tables in a real browser: which columns they show, how high their rows are, and how the keyboard goes through them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

const LINE = "A068";

describe.skipIf(!hasChromium)("The console's tables (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let sessions: string[];
  beforeAll(async () => {
    stage = await startConsole();
    stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
    const ended: string[] = [];
    for (const callee of ["+12025550171", "+12025550172", "+12025550173"])
      ended.push(await stage.endCall({ taskId: 7, callee, caller: LINE }));
    sessions = ended.toReversed();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const heads = (page: Page) =>
    page.evaluate<string[]>(`[...document.querySelectorAll("[role=columnheader]")].map((head) => head.innerText)`);
  const options = (page: Page, name = "Columns and row height") => page.getByRole("button", { name });
  async function leave(page: Page): Promise<void> {
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  }

  it.each([
    ["Live", "/live", /^Ended/],
    ["Calls", "/calls?range=1h", /^Started/],
  ])("have who, outcome, reason and when in sight at 1024 px: %s", async (_, path, when) => {
    const page = await stage.openAs("ops", path, { viewport: { width: 1024, height: 700 } });
    await untilShown(page, sessions);
    const shown = (await heads(page)).slice(0, 4);
    expect(shown).toEqual(["Person", "Outcome", "Reason", expect.stringMatching(when)]);
    const box = await page.locator("[role=columnheader]").nth(3).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1024);
    await page.context().close();
  });

  it("show and hide columns, the line among them, and keep the choice without anything of a call", async () => {
    const page = await stage.openAs("ops");
    await untilShown(page, sessions);
    const before = await heads(page);
    await options(page).click();
    await page.getByRole("menuitemcheckbox", { name: "Line" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Caller" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Assistant" }).click();
    // An open menu lies over the landmarks.
    expect(await findFaults(page, ["region"])).toEqual([]);
    await leave(page);
    const chosen = [...before.filter((head) => head !== "Assistant"), "Line", "Caller"];
    expect(await heads(page)).toEqual(chosen);
    await page.locator("[data-key]").first().getByText(LINE).first().waitFor();
    await page.reload();
    await untilShown(page, sessions);
    expect(await heads(page)).toEqual(chosen);
    const kept = await page.evaluate<Record<string, string>>("({ ...localStorage })");
    expect(JSON.parse(kept["live-shown"] ?? "")).toEqual({ line: true, caller: true, assistant: false });
    expect(JSON.stringify(kept)).not.toMatch(/2025550|A068|session/);
    await page.context().close();
  });

  it("have rows of 36 or 44 px in every list, by the choice of a user, in the dark and in Chinese, too", async () => {
    const page = await stage.openAs("ops", "/", {
      locale: "zh-CN",
      colorScheme: "dark",
      viewport: { width: 768, height: 700 },
      reducedMotion: "reduce",
    });
    await untilShown(page, sessions);
    const height = async () => (await page.locator("[data-key]").first().boundingBox())?.height;
    expect(await height()).toBe(36);
    await options(page, "列与行高").click();
    expect(await findFaults(page, ["region"])).toEqual([]);
    await page.getByRole("menuitemradio", { name: "宽松" }).click();
    await until(async () => (await height()) === 44);
    await leave(page);
    await page.goto(`${stage.proxy.url}/tasks`);
    await page.getByText("Autumn survey").waitFor();
    expect(await height()).toBe(44);
    await page.context().close();
  });

  it("are one stop of the Tab key, and arrows, Home, End, j, k and Enter go through their rows", async () => {
    const page = await stage.openAs("ops");
    await untilShown(page, sessions);
    const [first = "", second = "", third = ""] = sessions;
    const stops = page.locator("[data-rows] [data-key] [tabindex='0']");
    const hasFocus = (session: string) => page.locator(`[data-key] a[href*="${session}"]:focus`).waitFor();
    expect([await stops.count(), await stops.getAttribute("href")]).toEqual([1, expect.stringContaining(first)]);
    for (const [key, session] of [
      ["j", first],
      ["ArrowDown", second],
      ["End", third],
      ["Home", first],
      ["j", second],
      ["k", first],
      ["ArrowDown", second],
    ] as const) {
      await page.keyboard.press(key);
      await hasFocus(session);
    }
    expect([await stops.count(), await stops.getAttribute("href")]).toEqual([1, expect.stringContaining(second)]);
    await page.keyboard.press("Shift+Tab");
    expect(await page.locator("[data-key] :focus").count()).toBe(0);
    await page.keyboard.press("Tab");
    await hasFocus(second);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe(second);
    await page.context().close();
  });

  it("throw nothing, and keep to the content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
