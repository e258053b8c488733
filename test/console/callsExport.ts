// The tests of the Calls view's export. They share the stage of calls.test.ts.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { ConsoleStage } from "./consoleStage.ts";
import { heapTextOf } from "./heapText.ts";

export const NUMBER = "+12025550173";
export const PAST = "since=2026-03-02T00:00:00Z&until=2026-03-03T00:00:00Z";
/** Three pages. The sandbox lists the newest first. */
export const PAST_CALLS = 230;
export const FORMULA = "=HYPERLINK(1)";

/** Waits for a list of this length. */
export const untilRows = (page: Page, count: number) => page.getByText(new RegExp(`of ${count} calls?$`)).waitFor();

/** `given`: the stage, and the sessions of its calls that have an event. */
export function testExport(given: () => { stage: ConsoleStage; ended: readonly string[] }): void {
  const stage = () => given().stage;
  const ended = () => given().ended;
  /** The browser asks a user for a place; here it is a file of the page's own, with the same interface. */
  const withPicker = `window.showSaveFilePicker = async ({ suggestedName }) => {
    window.chosen = await (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
    return window.chosen;
  };`;
  const chooseExport = async (page: Page, kind: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: kind }).click();
  };

  it("exports every page of the filtered list as CSV, in which no spreadsheet finds a formula", async () => {
    const page = await stage().openAs("ops", "/calls?task=7&range=1h");
    await page.evaluate("delete window.showSaveFilePicker");
    await page.getByText(/of \d calls?$/).waitFor();
    const download = page.waitForEvent("download");
    await chooseExport(page, "CSV");
    const path = await (await download).path();
    await page.getByText(/rows? exported to calls-.*\.csv\./).waitFor();
    const [head = "", ...lines] = (await readFile(path, "utf8")).trimEnd().split("\r\n");
    expect(head.startsWith("\ufeffsessionId,taskId,taskItemId,direction,caller,callee,")).toBe(true);
    const line = lines.find((each) => each.startsWith(`${ended()[0]},`)) ?? "";
    expect(line).toContain(`,'${NUMBER},`);
    expect(line).toContain(`,'${FORMULA},`);
    expect(line).toContain('"{""姓名"":""Li""}"');
    expect([head, line]).toEqual([expect.stringContaining(",taskName,"), expect.stringContaining(",Autumn survey,")]);
    await page.context().close();
  });

  it("exports as JSON lines page by page to the file that was chosen, and says how many rows are in it", async () => {
    const page = await stage().openAs("ops", `/calls?${PAST}`);
    await untilRows(page, PAST_CALLS);
    await page.evaluate(withPicker);
    await chooseExport(page, "JSON lines");
    await page.getByText(/230 rows exported to calls-.*\.jsonl\./).waitFor();
    const text = await page.evaluate<string>("window.chosen.getFile().then((file) => file.text())");
    const calls = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { sessionId: string; callee: string });
    expect(new Set(calls.map(({ sessionId }) => sessionId)).size).toBe(PAST_CALLS);
    expect(new Set(calls.map(({ callee }) => callee))).toEqual(new Set([NUMBER]));
    await page.context().close();
  });

  it("stops an export at an error, says how many rows were written, goes on from there, and can be cancelled", async () => {
    const page = await stage().openAs("ops", `/calls?${PAST}`);
    await untilRows(page, PAST_CALLS);
    await page.evaluate(withPicker);
    stage().sandbox.control.addFault({ match: { query: "pageIndex=2" }, kind: "status", status: 403 });
    await chooseExport(page, "JSON lines");
    await page.getByText("The export stopped after 100 of 230 rows.").waitFor();
    expect(await page.getByRole("button", { name: "Keep the 100 rows" }).count()).toBe(1);
    stage().sandbox.control.clearFaults();
    await page.getByRole("button", { name: "Go on from there" }).click();
    await page.getByText(/230 rows exported to/).waitFor();

    stage().sandbox.control.addFault({ match: { query: "pageIndex=2" }, kind: "hang" });
    await chooseExport(page, "JSON lines");
    await page.getByText("100 of 230 rows written").waitFor();
    await page.getByRole("button", { name: "Cancel export" }).click();
    await page.getByText("The export was cancelled. No file was written.").waitFor();
    stage().sandbox.control.clearFaults();
    const kept = await page.evaluate("window.chosen.getFile().then((file) => file.size, () => 0)");
    expect(kept).toBe(0);
    await page.context().close();
  });

  it("keeps the rows of an export that stopped, and says what a file lacks or has twice", async () => {
    const [day, start] = ["since=2026-03-04T00:00:00Z&until=2026-03-05T00:00:00Z", Date.parse("2026-03-04T12:00:00Z")];
    let seeded = 0;
    const seed = (count: number, seconds = 1) => {
      const calls = Array.from({ length: count }, () => ({ taskId: 7, startAt: start + seeded++ * seconds * 1000 }));
      stage().sandbox.control.seed({ calls });
    };
    seed(230);
    const page = await stage().openAs("ops", `/calls?${day}`);
    await untilRows(page, 230);
    await page.evaluate(withPicker);
    /** Exports until the second page fails. */
    const exportOnePage = async () => {
      stage().sandbox.control.addFault({ match: { query: "pageIndex=2" }, kind: "status", status: 403 });
      await chooseExport(page, "JSON lines");
      await page.getByText(/^The export stopped after 100 of \d+ rows\./).waitFor();
      stage().sandbox.control.clearFaults();
    };
    await exportOnePage();
    await page.getByRole("button", { name: "Keep the 100 rows" }).click();
    await page.getByText(/^100 rows exported to .* The file is not complete: the list has 230 rows\.$/).waitFor();
    const text = await page.evaluate<string>("window.chosen.getFile().then((file) => file.text())");
    expect(text.trimEnd().split("\n").length).toBe(100);

    await exportOnePage();
    seed(1);
    await page.getByRole("button", { name: "Go on from there" }).click();
    await page.getByText(/^230 rows exported to .* The list had 231 rows at the end\./).waitFor();

    await exportOnePage();
    // More before the place and behind it than the gateway can follow.
    seed(350);
    seed(350, -1);
    await page.getByRole("button", { name: "Go on from there" }).click();
    await page.getByText(/rows exported to .* The list changed while it was read: rows may be missing or/).waitFor();
    await page.context().close();
  });

  it("shows masked numbers and no phone filter without people:read, and exports no whole number", async () => {
    const page = await stage().openAs("reader", `/calls?${PAST}#phone=${encodeURIComponent("+12025550000")}`);
    await untilRows(page, PAST_CALLS);
    expect(await page.getByLabel("Phone number").count()).toBe(0);
    await page.evaluate(withPicker);
    await chooseExport(page, "CSV");
    await page.getByText(/230 rows exported/).waitFor();
    const text = await page.evaluate<string>("window.chosen.getFile().then((file) => file.text())");
    const memory = await heapTextOf(page);
    const holds = (number: string) => [text.includes(number), memory.includes(number)];
    expect([holds("+120****0173"), holds("2025550173")]).toEqual([
      [true, true],
      [false, false],
    ]);
    await page.context().close();
  });
}
