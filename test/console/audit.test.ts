// The console's audit log in a real browser.
import { readFile } from "node:fs/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

/** With these, the log has a second page. */
const ADDED = 50;
const AT_ONCE = 10;

let stage: ConsoleStage;
let shown: string;
const ask = (query: string) => stage.gateway.ask(query, {}, { authorization: bearer("admin") });

beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
  shown = await stage.endCall({ callee: "+8613800010001" });
  const { data } = await stage.gateway.ask<{ callEnded: { cursor: string } }>(
    `{ callEnded(sessionId: "${shown}") { cursor } }`,
    {},
    { authorization: bearer("admin") },
  );
  await ask(`{ rawDelivery(cursor: "${data?.callEnded.cursor}") { body } }`);
  for (let at = 0; at < ADDED; at += AT_ONCE) {
    const fields = Array.from(
      { length: AT_ONCE },
      (_, one) => `f${one}: addToDoNotCall(numbers: ["+1202555${4000 + at + one}"]) { changed }`,
    );
    expect((await ask(`mutation { ${fields.join(" ")} }`)).errors).toBeUndefined();
  }
});
afterAll(() => stage?.[Symbol.asyncDispose]());

async function expectFits(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

describe.skipIf(!hasChromium)("The console's audit log (skipped where there is no Chromium)", () => {
  it("says which key did what and when, the newest first and page by page, with details at an address of their own", async () => {
    const page = await stage.openSignedIn("admin", "/audit", { reducedMotion: "reduce" });
    const table = page.getByRole("table", { name: "Audit log" });
    const first = table.getByRole("row").nth(1);
    await first.waitFor();
    expect(await first.getByRole("cell").allInnerTexts()).toEqual([
      expect.stringMatching(/\d{2}:\d{2}:\d{2} \S+$/),
      "admin",
      "Added 1 number to the never-call list",
    ]);
    expect(await table.getAttribute("aria-rowcount")).toBe("51");
    expect(await page.getByRole("button", { name: "Newest" }).isDisabled()).toBe(true);
    await page.keyboard.press("]");
    await page.waitForURL(/after=/);
    const older = page.getByText("Was shown an accepted delivery as it came");
    await older.waitFor();
    await expectFits(page);

    await page.keyboard.press("j");
    await page.locator("[data-key] a:focus").waitFor();
    await page.keyboard.press("Enter");
    const details = page.getByRole("dialog", { name: "Entry of the audit log" });
    await details.getByText("DELIVERY_SHOWN").waitFor();
    await expectFits(page);
    await page.reload();
    // Not opened: a player that loads a recording adds an entry.
    const link = await details.getByRole("link", { name: "Show the call" }).getAttribute("href");
    const { searchParams } = new URL(link ?? "", page.url());
    expect([searchParams.get("call"), searchParams.has("after"), searchParams.has("entry")]).toEqual([
      shown,
      true,
      false,
    ]);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Newest" }).click();
    await first.getByText("Added 1 number").waitFor();
    await page.context().close();
  });

  it.each<[string, BrowserContextOptions]>([
    ["dark and in Chinese", { colorScheme: "dark", locale: "zh-CN", viewport: { width: 1024, height: 740 } }],
    ["390 px wide", { viewport: { width: 390, height: 740 } }],
  ])("fits with its details, and axe finds nothing: %s", async (_, options) => {
    const page = await stage.openSignedIn("admin", "/audit", { ...options, reducedMotion: "reduce" });
    const row = page.locator("[data-key]").first();
    await row.waitFor();
    await expectFits(page);
    await row.click();
    await page.getByRole("dialog").getByText("DO_NOT_CALL_ADDED").waitFor();
    await expectFits(page);
    await page.context().close();
  });

  it("writes every page as CSV, with the time in the viewer's zone and in UTC", async () => {
    const page = await stage.openSignedIn("admin", "/audit", { timezoneId: "Asia/Shanghai" });
    await page.evaluate("delete window.showSaveFilePicker");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as CSV" }).click();
    const path = await (await download).path();
    await page.getByText(/^51 rows exported to audit-.*Z\.csv\./).waitFor();
    const [head, newest = "", ...older] = (await readFile(path, "utf8")).trimEnd().split("\r\n");
    expect(head).toBe("\ufeffWhen (Asia/Shanghai),at,actor,What,action,count,subjectId,via,tool,client");
    const [when = "", at = "", ...rest] = newest.split(",");
    expect(Date.parse(`${when.replace(" ", "T")}+08:00`)).toBe(Math.floor(Date.parse(at) / 1000) * 1000);
    expect(rest).toEqual(["admin", "Added 1 number to the never-call list", "DO_NOT_CALL_ADDED", "1", "", "", "", ""]);
    expect([older.length, older.at(-1)]).toEqual([50, expect.stringContaining(",DELIVERY_SHOWN,1,")]);
    await page.context().close();
  });

  it("asks again for what may pass, can be cancelled, and says why nothing was saved", async () => {
    const page = await stage.openSignedIn("admin", "/audit");
    await page.locator("[data-key]").first().waitFor();
    await page.evaluate("delete window.showSaveFilePicker");
    let answer: { code: string; retryable: boolean } | null = { code: "STORE_UNAVAILABLE", retryable: true };
    await page.route("**/graphql", (route) =>
      answer !== null && route.request().postData()?.includes('"first":100')
        ? route.fulfill({ json: { data: null, errors: [{ message: "No.", extensions: answer }] } })
        : route.continue(),
    );
    const start = page.getByRole("button", { name: "Export as CSV" });
    await start.click();
    await page.getByText(/^Reading the first page Trying again in \d s$/).waitFor();
    await page.getByRole("button", { name: "Cancel export" }).click();
    await page.getByText("The export was cancelled. No file was written.").waitFor();
    answer = { code: "FORBIDDEN", retryable: false };
    await start.click();
    await page.getByText("The export could not begin. Your key does not allow this.").waitFor();
    answer = null;
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Go on from there" }).click();
    expect((await download).suggestedFilename()).toMatch(/^audit-.*Z\.csv$/);
    await page.getByText(/^51 rows exported/).waitFor();
    await page.context().close();
  });

  it("is not offered to a key without admin, which is told the scope that is missing", async () => {
    const page = await stage.openSignedIn("reader", "/audit");
    await page.getByText("It has: calls:read. This view needs admin.").waitFor();
    expect(await page.getByRole("link", { name: "Audit" }).count()).toBe(0);
    await page.context().close();
  });

  it("throws nothing, and keeps to the content security policy of its page", () => {
    expect(stage.faults).toEqual([]);
  });
});
