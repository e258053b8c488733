// The filters of the console's audit log in a real browser: who did this, and when.
import { readFile } from "node:fs/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, VIEWERS, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

let stage: ConsoleStage;

async function ask<T>(viewer: string, query: string): Promise<T> {
  const { data, errors } = await stage.gateway.ask<T>(query, {}, { authorization: bearer(viewer) });
  if (errors || !data) throw new Error(JSON.stringify(errors));
  return data;
}
const list = (number: string) => `mutation { addToDoNotCall(numbers: ["${number}"]) { changed } }`;

/** Two viewers: admin looked at one call and listed a number, and auditor looked at the same call and another one. */
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
  await stage.setViewers({ ...VIEWERS, auditor: ["calls:read", "people:read", "admin"] });
  await until(() => ask("auditor", "{ viewer { name } }").catch(() => null));
  const cursors = [];
  for (const callee of ["+8613800010001", "+8613800010002"]) {
    const sessionId = await stage.endCall({ callee });
    const { callEnded } = await ask<{ callEnded: { cursor: string } }>(
      "admin",
      `{ callEnded(sessionId: "${sessionId}") { cursor } }`,
    );
    cursors.push(callEnded.cursor);
  }
  const show = (viewer: string, cursor = "") => ask(viewer, `{ rawDelivery(cursor: "${cursor}") { body } }`);
  await show("admin", cursors[0]);
  await ask("admin", list("+12025554001"));
  await show("auditor", cursors[0]);
  await show("auditor", cursors[1]);
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const rows = async (page: Page): Promise<string[]> =>
  (await page.locator("[data-key]").allInnerTexts()).map((text) => text.split("\n").slice(1).join(" ").trim());
const shown = "Was shown an accepted delivery as it came";

async function expectRows(page: Page, wanted: readonly string[]): Promise<void> {
  await until(async () => JSON.stringify(await rows(page)) === JSON.stringify(wanted)).catch(async (cause: unknown) => {
    throw new Error(`The list shows ${JSON.stringify(await rows(page))}.`, { cause });
  });
  expect(await findFaults(page)).toEqual([]);
}

describe.skipIf(!hasChromium)("The filters of the console's audit log (skipped where there is no Chromium)", () => {
  const open = async (path: string, options: BrowserContextOptions = {}) =>
    stage.openSignedIn("admin", path, { reducedMotion: "reduce", ...options });

  it("show what one viewer did, from the address, too, and export the same", async () => {
    const page = await open("/audit");
    await expectRows(page, [
      `auditor ${shown}`,
      `auditor ${shown}`,
      "admin Added 1 number to the never-call list",
      `admin ${shown}`,
    ]);
    await page.keyboard.press("/");
    await page.locator("input:focus").fill("auditor");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?actor=auditor$/);
    await expectRows(page, [`auditor ${shown}`, `auditor ${shown}`]);
    await page.reload();
    await expectRows(page, [`auditor ${shown}`, `auditor ${shown}`]);
    await page.evaluate("delete window.showSaveFilePicker");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as CSV" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    expect(lines.slice(1).map((line) => line.split(",")[2])).toEqual(["auditor", "auditor"]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL(/\/audit$/);
    await until(async () => (await rows(page)).length === 4);
    await page.context().close();
  });

  it("show some actions alone", async () => {
    const page = await open("/audit");
    await page.getByRole("combobox", { name: "What: any" }).click();
    await page.getByRole("option", { name: "Added to the never-call list" }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/\?action=DO_NOT_CALL_ADDED$/);
    await expectRows(page, ["admin Added 1 number to the never-call list"]);
    await page.context().close();
  });

  it("lead from an entry to all that was done with the same call, and to all that its viewer did", async () => {
    const page = await open("/audit");
    await page.locator("[data-key]").last().click();
    const details = page.getByRole("dialog", { name: "Entry of the audit log" });
    await details.getByRole("link", { name: "All that was done with it" }).click();
    await page.waitForURL(/subject=/);
    await details.getByText("DELIVERY_SHOWN").waitFor();
    await expectRows(page, [`auditor ${shown}`, `admin ${shown}`]);
    await details.getByRole("link", { name: "All that it did" }).click();
    await page.waitForURL(/actor=admin/);
    await page.keyboard.press("Escape");
    await expectRows(page, ["admin Added 1 number to the never-call list", `admin ${shown}`]);
    await page.goBack();
    await page.goBack();
    await page.getByRole("button", { name: /^About one thing/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^About one thing/ }).click();
    await until(async () => (await rows(page)).length === 4);
    await page.context().close();
  });

  it("show a time alone, and say that nothing matches", async () => {
    const page = await open("/audit");
    await page.getByRole("button", { name: /^Time range: All times/ }).click();
    await page.getByRole("button", { name: "Last hour" }).click();
    await page.waitForURL(/\?range=1h$/);
    await until(async () => (await rows(page)).length === 4);
    await page.goto(`${stage.proxy.url}/audit?since=2020-01-01T00%3A00%3A00Z&until=2020-01-02T00%3A00%3A00Z`);
    await page.getByText("No entry matches.").waitFor();
    await expectRows(page, []);
    await page.getByRole("button", { name: /^Time range/ }).click();
    await page.getByRole("button", { name: "All times" }).click();
    await until(async () => (await rows(page)).length === 4);
    await page.context().close();
  });

  it.each<[string, BrowserContextOptions]>([
    ["dark and in Chinese", { colorScheme: "dark", locale: "zh-CN", viewport: { width: 1024, height: 740 } }],
    ["390 px wide", { viewport: { width: 390, height: 740 } }],
  ])("fit, and axe finds nothing: %s", async (_, options) => {
    const page = await open("/audit?actor=auditor&action=DELIVERY_SHOWN", options);
    await page.locator("[data-key]").nth(1).waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.context().close();
  });

  it("do not offer a name that the viewer sees masked, because the gateway refuses a search for it", async () => {
    const named = "crm-13800010009";
    await stage.setViewers({ ...VIEWERS, [named]: VIEWERS.admin, guest: ["calls:read", "admin"] });
    await until(() => ask(named, list("+12025554002")).catch(() => null));
    await until(() => ask("guest", "{ viewer { name } }").catch(() => null));
    const page = await stage.openSignedIn("guest", "/audit", { reducedMotion: "reduce" });
    const entry = page.locator("[data-key]").first();
    await entry.getByText("crm-138****0009").waitFor();
    const offered = () =>
      page.locator("datalist option").evaluateAll((all) => all.map((each) => each.getAttribute("value")));
    await until(async () => (await offered()).includes("admin"));
    expect(await offered()).not.toContain("crm-138****0009");
    await entry.click();
    const details = page.getByRole("dialog", { name: "Entry of the audit log" });
    await details.getByText("crm-138****0009").waitFor();
    expect(await details.getByRole("link", { name: "All that it did" }).count()).toBe(0);
    await page.context().close();
  });

  it("throw nothing, and ask only what the manifest has", () => {
    expect(stage.faults).toEqual([]);
  });
});
