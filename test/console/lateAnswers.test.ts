// What the console shows while an answer is on its way, where a user has asked for something else meanwhile.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { untilRows } from "./callsExport.ts";
import { shownSessions, startConsole, type ConsoleStage } from "./consoleStage.ts";
import { holdOperation } from "./holdOperation.ts";

describe.skipIf(!hasChromium)("An answer that comes late (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let sessions: string[];
  beforeAll(async () => {
    stage = await startConsole();
    sessions = [await stage.endCall(), await stage.endCall({ answered: false, hangupSide: "caller" })];
  });
  afterEach(() => hasChromium && stage.sandbox.control.clearFaults());
  afterAll(() => stage[Symbol.asyncDispose]());

  async function choose(page: Page, filter: string, option: string): Promise<void> {
    await page.getByRole("combobox", { name: filter }).click();
    await page.getByRole("option", { name: option }).click();
  }
  const places = (page: Page) => page.getByText(/of \d+ calls?$/);

  it("leaves no calls of another filter in sight, also where it fails", async () => {
    const page = await stage.openAs("ops", "/calls?range=1h");
    await untilRows(page, 2);
    const list = await holdOperation(page, "ConsoleCalls");
    await choose(page, "Kind", "Test calls");
    await list.begun;
    await until(async () => (await shownSessions(page)).length === 0);
    expect(await places(page).count()).toBe(0);
    expect(await page.getByText("No call matches these filters.").count()).toBe(0);
    list.release();
    await page.getByText("No call matches these filters.").waitFor();
    stage.sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 500 });
    await choose(page, "Kind", "any");
    await page.getByRole("alert").getByText("The calling service does not answer").waitFor();
    expect([await places(page).count(), await shownSessions(page)]).toEqual([0, []]);
    expect(await page.getByText("No call matches these filters.").count()).toBe(0);
    stage.sandbox.control.clearFaults();
    await untilRows(page, 2);
    expect((await shownSessions(page)).toSorted()).toEqual(sessions.toSorted());
    await page.context().close();
  });

  it("says nothing of a number that is not in the field any more, and the next number is looked up", async () => {
    const page = await stage.openSignedIn("admin", "/privacy");
    const form = page.getByRole("region", { name: "Never-call list" });
    const first = await holdOperation(page, "13800010001");
    await form.getByLabel("Phone number").fill("13800010001");
    await page.keyboard.press("Enter");
    await first.begun;
    await form.getByLabel("Phone number").fill("13800010002");
    await page.keyboard.press("Enter");
    await form.getByText("13800010002 is not on the list.").waitFor();
    first.release();
    await form.getByRole("button", { name: "Add to the list" }).click();
    await form.getByText("13800010002 is on the list now.").waitFor();
    expect(await form.getByText("13800010001").count()).toBe(0);
    await page.context().close();
  });

  it("offers no change of a number that is not in the field any more", async () => {
    const page = await stage.openSignedIn("admin", "/privacy");
    const form = page.getByRole("region", { name: "Never-call list" });
    await form.getByLabel("Phone number").fill("13800010005");
    await page.keyboard.press("Enter");
    await form.getByText("13800010005 is not on the list.").waitFor();
    const change = await holdOperation(page, "ConsoleAddNeverCall");
    await form.getByRole("button", { name: "Add to the list" }).click();
    await change.begun;
    await form.getByLabel("Phone number").fill("13800010006");
    change.release();
    await form.getByRole("button", { name: "Look up" }).and(page.locator(":enabled")).waitFor();
    expect(await form.getByText("13800010005").count()).toBe(0);
    await page.context().close();
  });

  it("asks about the person whose number is in the field, and keeps that number", async () => {
    const page = await stage.openSignedIn("admin", "/privacy");
    const form = page.getByRole("region", { name: "Erase a person" });
    const first = await holdOperation(page, "13800010003");
    await form.getByLabel("Phone number").fill("13800010003");
    await page.keyboard.press("Enter");
    await first.begun;
    await form.getByLabel("Phone number").fill("13800010004");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Erase 1 person, 13800010004?" });
    await question.waitFor();
    first.release();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    expect(await form.getByLabel("Phone number").inputValue()).toBe("13800010004");
    await page.context().close();
  });

  it("throws nothing, and keeps to the content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
