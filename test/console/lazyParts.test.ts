// Parts of the console whose code comes later, in a real browser: what happens where a file cannot be fetched.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { hasChromium } from "../support/browserPage.ts";
import { keyOf } from "../support/keys.ts";
import { startConsole, untilPartsLoaded, untilShown, type ConsoleStage } from "./consoleStage.ts";

const CHARTS = /\/assets\/LiveCharts-[^/]*\.js/;
const TASKS = /\/assets\/TasksView-[^/]*\.js/;
const NOT_LOADED = "This part of the page could not be loaded. It is tried again.";

describe.skipIf(!hasChromium)("Parts of the console that are loaded later (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("leave the rest of the view as it is where their file cannot be fetched, and come by themselves when it can", async () => {
    const page = await stage.open("/live");
    // Chromium fetches a file again after it failed. With a route, it takes nothing from its cache.
    await page.route(CHARTS, (route) => route.abort("connectionreset"));
    await page.reload();
    await signIn(page, "ops");
    await page.getByText(NOT_LOADED).waitFor();
    await page.locator("[data-state=live]").waitFor();
    const session = await stage.endCall();
    await untilShown(page, [session]);
    await page.unroute(CHARTS);
    await page.locator(".uplot canvas").first().waitFor();
    expect(await page.getByText(NOT_LOADED).count()).toBe(0);
    await page.context().close();
  });

  it("are tried again where the file of a whole view could not be fetched", async () => {
    const page = await stage.open("/tasks");
    await page.route(TASKS, (route) => route.abort("connectionreset"));
    await page.reload();
    await signIn(page, "ops");
    await page.getByText(NOT_LOADED).waitFor();
    await page.getByRole("link", { name: "Live", exact: true }).click();
    await page.locator("[data-state=live]").waitFor();
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await page.getByText(NOT_LOADED).waitFor();
    await page.unroute(TASKS);
    await page.getByText("No tasks yet.").waitFor();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    expect(await page.getByText(NOT_LOADED).count()).toBe(0);
    await page.context().close();
  });

  it("are there when the gateway goes away after the first paint: every view can be opened", async () => {
    const page = await stage.openAs("admin");
    await untilPartsLoaded(page);
    stage.proxy.isClosed = true;
    stage.proxy.cutAll();
    for (const view of [
      "Calls",
      "Tasks",
      "Statistics",
      "Health",
      "Destinations",
      "Privacy",
      "Audit",
      "Explore",
      "Live",
    ]) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: view }).waitFor();
      expect(await page.getByText(NOT_LOADED).count()).toBe(0);
    }
    stage.proxy.isClosed = false;
    await page.locator("[data-state=live]").waitFor();
    const session = await stage.endCall();
    await untilShown(page, [session]);
    await page.context().close();
  });
});

async function signIn(page: Page, viewer: string): Promise<void> {
  await page.locator("#key").fill(keyOf(viewer));
  await page.keyboard.press("Enter");
}
