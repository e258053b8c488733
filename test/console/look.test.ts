// The console as people with different windows, languages and abilities have it: axe finds nothing in any of its states, and
// everything works by keyboard alone.
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en as details } from "../../console/src/call/texts/en.ts";
import { en } from "../../console/src/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { keyOf } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

describe.skipIf(!hasChromium)("The console's page (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let sessions: string[];
  beforeAll(async () => {
    stage = await startConsole();
    stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
    const calls = [
      await stage.endCall({ taskId: 7 }),
      await stage.endCall({ answered: false, hangupSide: "caller", hangupReason: "no answer" }),
      await stage.endCall({ taskId: 7, extra: { 姓名: "Li" } }),
    ];
    sessions = calls.toReversed();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const windows: [string, BrowserContextOptions][] = [
    ["in a wide window", {}],
    ["in the dark", { colorScheme: "dark" }],
    ["in a window of 360 px", { viewport: { width: 360, height: 740 } }],
    [
      "in a window of 800 px, dark and in Chinese",
      { viewport: { width: 800, height: 700 }, colorScheme: "dark", locale: "zh-CN" },
    ],
  ];

  it.each(windows)(
    "has no fault of accessibility at the sign-in, in the list and in the details: %s",
    async (_, options) => {
      // A colour that fades is between two colours.
      const page = await stage.open("/", { ...options, reducedMotion: "reduce" });
      await page.locator("#key").waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.locator("#key").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.locator("#key").fill(keyOf("ops"));
      await page.keyboard.press("Enter");
      await untilShown(page, sessions);
      await page.locator(".uplot canvas").first().waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.locator("[data-key] a").first().click();
      await page.getByRole("dialog").getByText("Autumn survey").waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.context().close();
    },
  );

  it("has no fault of accessibility with an open list, with the keys, in an empty list, and in the settings", async () => {
    const page = await stage.openAs("reader", "/live?direction=inbound&outcome=answered", {
      reducedMotion: "reduce",
      viewport: { width: 800, height: 700 },
    });
    await page.getByText("No call matches these filters.").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Outcome" }).click();
    await page.getByRole("option", { name: "Not answered" }).waitFor();
    // An open list lies over the landmarks.
    expect(await findFaults(page, ["region"])).toEqual([]);
    await page.keyboard.press("Escape");
    // The next key would be the list's while that closes.
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    await page.getByRole("combobox", { name: "Outcome" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByText("1 scope").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it("fits a window of 360 px without scrolling sideways, and the details fill it", async () => {
    const page = await stage.openAs("ops", "/", { viewport: { width: 360, height: 740 } });
    await untilShown(page, sessions);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await page.locator("[data-key] a").first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Autumn survey").waitFor();
    await until(async () => (await dialog.boundingBox())?.x === 0);
    expect((await dialog.boundingBox())?.width).toBe(360);
    await page.context().close();
  });

  it("scrolls the bar of a narrow window to the current view, where more views are offered than fit", async () => {
    const page = await stage.openSignedIn("admin", "/explore", { viewport: { width: 360, height: 740 } });
    const isInSight = async (name: string) => {
      const bar = await page.getByRole("navigation").boundingBox();
      const link = await page.getByRole("link", { name, exact: true }).boundingBox();
      return bar && link ? link.x >= bar.x - 1 && link.x + link.width <= bar.x + bar.width + 1 : null;
    };
    await until(async () => (await isInSight("Explore")) === true);
    expect(await isInSight("Live")).toBe(false);
    await page.getByRole("link", { name: "Live", exact: true }).click();
    await until(async () => (await isInSight("Live")) === true);
    await page.context().close();
  });

  it("works by keyboard alone: skips to the content, reaches filters, moves through rows, opens one and comes back", async () => {
    const page = await stage.open();
    await page.locator("#key:focus").waitFor();
    await page.keyboard.type(keyOf("ops"));
    await page.keyboard.press("Enter");
    await untilShown(page, sessions);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.locator("#content:focus").waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Outcome" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("j");
    await page.locator(`[data-key] a[href*="${sessions[0]}"]:focus`).waitFor();
    await page.keyboard.press("j");
    await page.locator(`[data-key] a[href*="${sessions[1]}"]:focus`).waitFor();
    await page.keyboard.press("k");
    await page.locator(`[data-key] a[href*="${sessions[0]}"]:focus`).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").and(page.locator(":focus")).waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe(sessions[0]);
    await page.keyboard.press("Escape");
    await page.locator(`[data-key] a[href*="${sessions[0]}"]:focus`).waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe(null);
    await page.context().close();
  });

  it("keeps the focus in its row while a call ends, and while the name of its task arrives", async () => {
    const page = await stage.openAs("ops");
    await untilShown(page, sessions);
    await page.keyboard.press("j");
    const [focused = ""] = sessions;
    await page.locator(`[data-key] a[href*="${focused}"]:focus`).waitFor();
    stage.sandbox.control.seed({ tasks: [{ id: 8, name: "Winter survey" }] });
    const ended = await stage.endCall({ taskId: 8 });
    sessions.unshift(ended);
    await untilShown(page, sessions);
    await page.getByText("Winter survey").first().waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('href')")).toContain(focused);
    await page.context().close();
  });

  it("does nothing with a key of one character where a user switched them off, and keeps this choice", async () => {
    const page = await stage.openAs("ops");
    await untilShown(page, sessions);
    await page.keyboard.press("?");
    await page.getByLabel("Use shortcuts of one character").uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    await untilShown(page, sessions);
    await page.keyboard.press("p");
    await page.keyboard.press("?");
    await page.keyboard.press("Tab");
    expect(await page.getByRole("button", { name: "Pause" }).getAttribute("aria-pressed")).toBe("false");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.context().close();
  });

  it("speaks Chinese to a browser that does, changes at once, and keeps the choice", async () => {
    const page = await stage.openAs("ops", "/", { locale: "zh-CN" });
    await untilShown(page, sessions);
    await page.getByRole("heading", { name: "实时" }).waitFor();
    await page.locator("[data-key] a").first().click();
    await page.getByRole("dialog").getByText("时间线").waitFor();
    const shown = await page.evaluate<string>("document.body.innerText");
    const english = Object.values({ ...en.live, ...en.call, ...en.frame, ...details }).filter(
      (text) => typeof text === "string",
    );
    const own = ["System", "Status"];
    const left = english.filter((text) => text.length > 5 && !own.includes(text) && shown.includes(text));
    expect([left, await page.evaluate("document.documentElement.lang")]).toEqual([[], "zh-CN"]);
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "English" }).click();
    await page.getByRole("heading", { name: "Live" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Live" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    await page.context().close();
  });

  it("changes between light and dark by the choice of a user, whatever the system has", async () => {
    const page = await stage.openAs("ops", "/", { colorScheme: "light" });
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.getByRole("radio", { name: "Dark" }).click();
    await until(async () => (await background()) !== light);
    await page.reload();
    await untilShown(page, sessions);
    expect(await background()).not.toBe(light);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
