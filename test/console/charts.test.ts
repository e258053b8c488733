// Times and reasons that are chosen in the charts of Live and Statistics, and the files that both save, in a real browser.
import { readFile } from "node:fs/promises";
import Papa from "papaparse";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

let stage: ConsoleStage;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
  stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
  for (const hangupReason of ["busy", "busy", "486"]) await stage.endCall({ taskId: 7, answered: false, hangupReason });
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const spanOf = (page: Page) =>
  ["since", "until"].map((name) => Date.parse(new URL(page.url()).searchParams.get(name) ?? ""));
const MINUTE = 60_000;

/** A place of the first chart: 0 is its left end, 1 its right one. */
async function placeIn(page: Page, share: number) {
  const box = await page.locator(".u-over").first().boundingBox();
  if (!box) throw new Error("There is no chart.");
  return [box.x + box.width * share, box.y + box.height / 2] as const;
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  await page.mouse.move(...(await placeIn(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await placeIn(page, (from + to) / 2)));
  await page.mouse.move(...(await placeIn(page, to)));
  await page.mouse.up();
}

describe.skipIf(!hasChromium)("The charts of Statistics (skipped where there is no Chromium)", () => {
  it("choose a range by a click and by a drag, and the browser's Back leads out of it", async () => {
    const page = await stage.openSignedIn("reader", "/statistics", { timezoneId: "Europe/Berlin" });
    await page.getByRole("heading", { name: "Calls per hour" }).waitFor();
    await page.locator(".u-over").first().waitFor();
    await drag(page, 0.25, 0.75);
    await page.waitForURL(/since=/);
    const [since = 0, until = 0] = spanOf(page);
    expect([since % (60 * MINUTE), until % (60 * MINUTE)]).toEqual([0, 0]);
    expect(until - since).toBeGreaterThan(6 * 60 * MINUTE);
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has("since"));
    await page.getByRole("heading", { name: "Calls per hour" }).waitFor();
    await page.mouse.click(...(await placeIn(page, 0.5)));
    await page.getByRole("button", { name: "Show the last 30 days" }).waitFor();
    const [start = 0, end = 0] = spanOf(page);
    expect(end - start).toBe(60 * MINUTE);
    await page.context().close();
  });

  it("lead from a reason to its calls alone, also one of digits, and from a task and an assistant", async () => {
    const page = await stage.openSignedIn("reader", "/statistics", { reducedMotion: "reduce" });
    const calls = page.locator("dl > div").first().locator("dd").first();
    for (const [reason, count] of Object.entries({ busy: "2", "486": "1" })) {
      await page.getByRole("link", { name: reason }).click();
      await page.getByRole("combobox", { name: `Reason: ${reason}` }).waitFor();
      await calls.getByText(count, { exact: true }).waitFor();
      await page.reload();
      await page.getByRole("combobox", { name: `Reason: ${reason}` }).waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await calls.getByText("3", { exact: true }).waitFor();
    }
    await page.getByRole("link", { name: "Autumn survey" }).click();
    await page.waitForURL(/task=/);
    await page.context().close();
  });
});

/** The rows of the file that the page's Export saves, without the mark of UTF-8. */
async function exportedBy(page: Page): Promise<string[][]> {
  await page.evaluate("delete window.showSaveFilePicker");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  const path = await (await download).path();
  await page.getByText(/^\d+ rows? in \w+-.*Z\.csv\.$/).waitFor();
  const text = (await readFile(path, "utf8")).replace(/^\ufeff/, "");
  return Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
}

describe.skipIf(!hasChromium)("An export (skipped where there is no Chromium)", () => {
  it("of Statistics has what the view shows, with names beside IDs", async () => {
    const page = await stage.openSignedIn("reader", "/statistics?reason=486");
    await page.getByRole("link", { name: "Autumn survey" }).waitFor();
    const [head, ...rows] = await exportedBy(page);
    expect(head?.slice(0, 3)).toEqual(["by", "id", "name"]);
    const of = (by: string) => rows.filter(([kind]) => kind === by).map((row) => row.toSpliced(3, 2));
    expect(of("all")).toEqual([["all", "", "", "1", "0", "0"]]);
    expect(of("task")).toEqual([["task", "7", "Autumn survey", "1", "0", "0"]]);
    expect(of("reason")).toEqual([["reason", "", "486", "1", "0", "0"]]);
    expect(of("hour").reduce((sum, row) => sum + Number(row[3]), 0)).toBe(1);
    await page.context().close();
  });

  it("of Live has the calls of the list, with masks where the key does not show people", async () => {
    const page = await stage.openAs("reader", "/live?reason=486");
    await page.getByText("1 call", { exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "Autumn survey" }).first().waitFor();
    const [head = [], ...rows] = await exportedBy(page);
    const valueOf = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect([valueOf("taskName"), valueOf("hangupReason")]).toEqual([["Autumn survey"], ["486"]]);
    expect(valueOf("callee")).toEqual([expect.stringMatching(/\*/)]);
    await page.context().close();
  });
});

describe.skipIf(!hasChromium)("The charts of Live (skipped where there is no Chromium)", () => {
  it("filter the list by a reason, which a chip shows and clears", async () => {
    const page = await stage.openAs("reader", "/live", { reducedMotion: "reduce" });
    await page.getByRole("button", { name: "busy" }).click();
    await page.getByText("2 calls", { exact: true }).waitFor();
    await stage.endCall({ taskId: 7, answered: false, hangupReason: "no answer" });
    await stage.endCall({ taskId: 7, answered: false, hangupReason: "busy" });
    await page.getByText("3 calls", { exact: true }).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Reason: busy" }).click();
    await page.getByRole("option", { name: "any" }).click();
    await page.getByText("5 calls", { exact: true }).waitFor();
    await page.context().close();
  });

  it("lead from minutes to their statistics, with the filters that both views have", async () => {
    const page = await stage.openAs("reader", "/live?task=7");
    await page.locator(".u-over").first().waitFor();
    await drag(page, 0.5, 0.99);
    await page.waitForURL(/\/statistics\?.*since=/);
    const [since = 0, until = 0] = spanOf(page);
    expect([since % MINUTE, until % MINUTE]).toEqual([0, 0]);
    expect(until - since).toBeGreaterThan(10 * MINUTE);
    await page.getByRole("combobox", { name: "Task: Autumn survey" }).waitFor();
    await page.getByRole("heading", { name: "Calls per minute" }).waitFor();
    await page.context().close();
  });
});
