// The console's Privacy view in a real browser.
import { readFile } from "node:fs/promises";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

let stage: ConsoleStage;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const ask = async <Data>(query: string, variables: object = {}) =>
  (await stage.gateway.ask<Data>(query, variables, { authorization: bearer("admin") })).data;
const isListed = async (number: string) => {
  const query = "query ($number: String!) { doNotCall { contains(number: $number) } }";
  return (await ask<{ doNotCall: { contains: boolean } }>(query, { number }))?.doNotCall.contains;
};
const eraseForm = (page: Page) => page.getByRole("region", { name: "Erase a person" });
const list = (page: Page) => page.getByRole("region", { name: "Never-call list" });

async function expectFits(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

describe.skipIf(!hasChromium)("The console's Privacy view (skipped where there is no Chromium)", () => {
  it("erases a person by keyboard alone, says before what would go and afterwards what went, and puts the number on the list", async () => {
    const erased = await stage.endCall({ callee: "+8613900020002", answered: false });
    await stage.gateway.deliver("not json, of 13900020002");
    const page = await stage.openSignedIn("admin", "/privacy", { reducedMotion: "reduce" });
    await list(page).getByText("0 entries").waitFor();
    await eraseForm(page).getByLabel("Phone number").focus();
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This is not one phone number of 7 to 15 digits").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("+86 139 0002 0002");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Erase 1 person, +86 139 0002 0002?" });
    await question.waitFor();
    const counts = ["1 call", "1 entry of the event log", "1 webhook as it came", "1 delivery in quarantine"];
    expect(await question.getByRole("listitem").allInnerTexts()).toEqual(counts);
    await expectFits(page);
    // What was counted is still there.
    const query = "query ($sessionId: ID!) { callEnded(sessionId: $sessionId) { sessionId } }";
    expect(await ask(query, { sessionId: erased })).toEqual({ callEnded: { sessionId: erased } });
    await question.getByRole("checkbox", { name: /^Never call this number again/ }).focus();
    await page.keyboard.press("Space");
    await question.getByRole("button", { name: "Erase +86 139 0002 0002" }).focus();
    await page.keyboard.press("Enter");
    const result = eraseForm(page).getByRole("status");
    await result.getByText("+86 139 0002 0002 was erased. This went:").waitFor();
    expect(await result.getByRole("listitem").allInnerTexts()).toEqual(counts);
    await result.getByText("The number is on the never-call list now").waitFor();
    expect(await ask(query, { sessionId: erased })).toEqual({ callEnded: null });
    expect(await isListed("13900020002")).toBe(true);
    await list(page).getByText("1 entry", { exact: true }).waitFor();
    await page.context().close();
  });

  it("says that nothing is kept of a number, and erases nothing where that could not be counted or the question is closed", async () => {
    const page = await stage.openSignedIn("admin", "/privacy", { reducedMotion: "reduce" });
    const sent: string[] = [];
    page.on("request", (request) => {
      const body = request.postData() ?? "";
      if (body.includes("ConsoleForgetPhone")) sent.push(body);
    });
    const form = eraseForm(page);
    await page.route("**/graphql", (route) =>
      route.request().postData()?.includes("ConsoleForgetPhone")
        ? route.fulfill({
            json: { data: null, errors: [{ message: "No.", extensions: { code: "STORE_UNAVAILABLE" } }] },
          })
        : route.continue(),
    );
    await form.getByLabel("Phone number").fill("13900020009");
    await form.getByRole("button", { name: "Erase…" }).click();
    await form.getByText("What would go could not be counted. Nothing was erased.").waitFor();
    await page.unroute("**/graphql");
    await form.getByRole("button", { name: "Erase…" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("Nothing.").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter((body) => !body.includes('"dryRun":true'))).toEqual([]);
    await page.context().close();
  });

  it("looks a number up in any writing, adds it at once, and removes it after a question", async () => {
    const page = await stage.openSignedIn("admin", "/privacy", { reducedMotion: "reduce" });
    const form = list(page);
    await form.getByLabel("Phone number").fill("A068");
    await page.keyboard.press("Enter");
    await form.getByText("This is not one phone number of 7 to 15 digits.").waitFor();
    await form.getByLabel("Phone number").fill("13800010001");
    await page.keyboard.press("Enter");
    await form.getByText("13800010001 is not on the list.").waitFor();
    await form.getByRole("button", { name: "Add to the list" }).click();
    await form.getByText("13800010001 is on the list now. No task calls it.").waitFor();
    await form.getByLabel("Phone number").fill("+86 138-0001-0001");
    await page.keyboard.press("Enter");
    await form.getByText("+86 138-0001-0001 is on the list.").waitFor();
    await form.getByRole("button", { name: "Remove…" }).click();
    const question = page.getByRole("alertdialog", { name: /^Remove 1 person, \+86 138-0001-0001, from/ });
    await expectFits(page);
    await question.getByRole("button", { name: "Remove +86 138-0001-0001" }).click();
    await form.getByText("+86 138-0001-0001 is no longer on the list.").waitFor();
    expect(await isListed("13800010001")).toBe(false);
    await page.context().close();
  });

  it("names the faulty lines of a table, downloads them, and asks with the number of people before it adds or removes them", async () => {
    const page = await stage.openSignedIn("admin", "/privacy", { reducedMotion: "reduce" });
    await page.evaluate("delete window.showSaveFilePicker");
    const people = Array.from({ length: 1100 }, (_, at) => `p${at};+1 202 555 ${String(4000 + at)}`);
    const faulty = ["short;10086", "again;+12025554000", "word;unknown"];
    const [before, after] = [people.slice(0, 5), people.slice(5)];
    const table = ["who;telephone", ...before, ...faulty, ...after].join("\n");
    const picker = page.locator("input[type=file]");
    await picker.setInputFiles({ name: "numbers.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
    await page.getByText("The table has 1,100 people.").waitFor();
    const rows = page.getByRole("region", { name: "Rows that are left out" }).locator("tbody tr");
    expect(await rows.allInnerTexts()).toEqual([
      "7\t10086\tA phone number has 7 to 15 digits.",
      "8\t+12025554000\tThe same number as in row 2.",
      "9\tunknown\tIt is not a phone number.",
    ]);
    await expectFits(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download these rows" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
    expect(lines.map((line) => line.split(",")[0])).toEqual(["\ufeffRow", "7", "8", "9"]);

    await page.getByRole("button", { name: "Add 1,100 people…" }).click();
    const question = page.getByRole("alertdialog", { name: "Put 1,100 people on the never-call list?" });
    await question.getByText("3 rows of the table are left out.").waitFor();
    let sent = 0;
    await page.route("**/graphql", (route) => {
      const isAdding = route.request().postData()?.includes("ConsoleAddNeverCall") === true;
      if (!isAdding || (sent += 1) !== 2) return route.continue();
      const errors = [{ message: "No.", extensions: { code: "FORBIDDEN" } }];
      return route.fulfill({ json: { data: null, errors } });
    });
    await question.getByRole("button", { name: "Add 1,100 people" }).click();
    await page
      .getByText(/^Stopped after 1,000 of 1,100 people\. Added 1,000 people: .* Your key does not allow this\./)
      .waitFor();
    await expectFits(page);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Added 1,100 people: 1,100 entries are new.").waitFor();
    expect([await isListed("+12025554000"), await isListed("202 555 5099")]).toEqual([true, true]);

    await page.getByRole("button", { name: "Remove 1,100 people…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove 1,100 people" }).click();
    await page.getByText("Removed 1,100 people: 1,100 entries were on the list.").waitFor();
    expect(await isListed("+12025554000")).toBe(false);
    await page.context().close();
  });

  it("counts what was under way when a change of the never-call list was cancelled, and sends no more", async () => {
    const page = await stage.openSignedIn("admin", "/privacy", { reducedMotion: "reduce" });
    const people = Array.from({ length: 1100 }, (_, at) => `+1202556${String(4000 + at)}`);
    await page.locator("textarea").fill(people.join("\n"));
    await page.getByRole("button", { name: "Add 1,100 people…" }).click();
    const [isSent, isCancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let sent = 0;
    await page.route("**/graphql", async (route) => {
      if (!route.request().postData()?.includes("ConsoleAddNeverCall")) return route.continue();
      sent += 1;
      isSent.resolve();
      await isCancelled.promise;
      return route.continue();
    });
    await page.getByRole("alertdialog").getByRole("button", { name: "Add 1,100 people" }).click();
    await isSent.promise;
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    isCancelled.resolve();
    await page.getByText("Stopped after 1,000 of 1,100 people. Added 1,000 people: 1,000 entries are new.").waitFor();
    expect([await isListed("+12025564999"), await isListed("+12025565000"), sent]).toEqual([true, false, 1]);
    await page.context().close();
  });

  it.each<[string, BrowserContextOptions]>([
    ["dark and in Chinese", { colorScheme: "dark", locale: "zh-CN", viewport: { width: 1024, height: 740 } }],
    ["390 px wide", { viewport: { width: 390, height: 740 } }],
  ])("fits, also with a table and its question, and axe finds nothing: %s", async (_, options) => {
    const page = await stage.openSignedIn("admin", "/privacy", { ...options, reducedMotion: "reduce" });
    await page.locator("textarea").fill("13800010001\n13800010002\nunknown");
    await page.getByText(/^(The table has 2 people\.|表格中有 2 人。)/).waitFor();
    await expectFits(page);
    await page.getByRole("button", { name: /^(Add 2 people…|加入 2 人…)$/ }).click();
    await page.getByRole("alertdialog").waitFor();
    await expectFits(page);
    await page.context().close();
  });

  it("is not offered to a key without admin, which is told the scope that is missing", async () => {
    const page = await stage.openSignedIn("reader", "/privacy");
    await page.getByText("It has: calls:read. This view needs admin.").waitFor();
    expect(await page.getByRole("link", { name: "Privacy" }).count()).toBe(0);
    await page.context().close();
  });

  it("throws nothing, and keeps to the content security policy of its page", () => {
    expect(stage.faults).toEqual([]);
  });
});
