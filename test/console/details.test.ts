// The details of a call in a real browser: their own address, the timeline, the recording and its player, and what is missing.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { callEndedEvent } from "../support/events.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { findFaults } from "./findFaults.ts";
import { startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";

describe.skipIf(!hasChromium)("The console's details of a call (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let session: string;
  /** A call whose recording ends soon. */
  let brief: string;
  beforeAll(async () => {
    stage = await startConsole();
    stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
    brief = await stage.endCall({ talkTime: 1 });
    await untilRecording(brief, "ARCHIVED");
    session = await stage.endCall({
      taskId: 7,
      ringTime: 12,
      talkTime: 83,
      extra: { 姓名: "Li" },
      callee: "+12025550181",
    });
    await untilRecording(session, "ARCHIVED");
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  async function untilRecording(sessionId: string, status: string): Promise<void> {
    const query = `{ callEnded(sessionId: "${sessionId}") { recording { status } } }`;
    await until(async () => {
      const { data } = await stage.gateway.ask<{ callEnded: { recording: { status: string } | null } | null }>(
        query,
        {},
        { authorization: bearer("ops") },
      );
      return data?.callEnded?.recording?.status === status;
    });
  }
  const details = (page: Page) => page.getByRole("dialog");

  it("have an address of their own, which opens them over the list", async () => {
    const page = await stage.openAs("ops", `/live?call=${session}`);
    for (const text of [
      "rang 12 s",
      "talked 1 m 23 s",
      "Customer (called end)",
      "+12025550181",
      "Autumn survey",
      "姓名",
    ])
      await details(page).getByText(text).first().waitFor();
    await details(page).getByText("Asia/Shanghai (service)").waitFor();
    expect(await page.locator("[data-selected]").getAttribute("data-key")).not.toBe(null);
    await page.context().close();
  });

  it("follow the row that is chosen in the list beside them, and close with Escape", async () => {
    const other = await stage.endCall({ answered: false, hangupSide: "caller", hangupReason: "no answer" });
    const page = await stage.openAs("ops");
    await untilShown(page, [other, session]);
    await page.locator("[data-key]").nth(1).click();
    await details(page).getByText("talked 1 m 23 s").waitFor();
    await page.locator("[data-key]").nth(0).click();
    await details(page).getByText("Not answered: no answer, after ").waitFor();
    await details(page).getByText("This call has no recording.").waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe(other);
    await page.keyboard.press("Escape");
    await details(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
    await page.context().close();
  });

  it("lead with what happened, copy the number and the session ID, and lead to all calls of the person", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const page = await stage.openAs("ops", `/live?call=${session}`, { permissions });
    await details(page).getByText("Spoke for 1 m 23 s; the called person hung up.").waitFor();
    const untilCopied = (text: string) =>
      until(async () => (await page.evaluate("navigator.clipboard.readText()")) === text);
    for (const [name, text] of [
      ["Copy the number", "+12025550181"],
      ["Copy the session ID", session],
    ] as const) {
      await details(page).getByRole("button", { name }).click();
      await details(page).getByRole("status").filter({ hasText: "Copied" }).first().waitFor();
      await untilCopied(text);
    }
    // Pages of plain HTTP have no clipboard but that of a selected text.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })");
    await details(page).getByRole("button", { name: "Copy the number" }).click();
    await page.evaluate("delete navigator.clipboard");
    await untilCopied("+12025550181");
    expect(await findFaults(page)).toEqual([]);
    await details(page).getByRole("link", { name: "All calls of this person" }).click();
    await page.getByText(/^Asked for .*\+12025550181 \(\d+\)/).waitFor();
    expect(new URL(page.url()).search).toBe("?range=30d");
    await page.context().close();
  });

  it("go to the next and the previous call of the list, by buttons and by j and k, and leave the focus at its row", async () => {
    const older = await stage.endCall({ taskId: 7, callee: "+12025550182" });
    const newer = await stage.endCall({ taskId: 7, callee: "+12025550182", answered: false, hangupReason: "busy" });
    const page = await stage.openAs("ops", "/live", { viewport: { width: 1440, height: 900 } });
    await untilShown(page, [newer, older]);
    await page.locator("[data-key]").first().click();
    await details(page).getByText("Not answered: busy, after ").waitFor();
    const [previous, next] = ["Previous in the list", "Next in the list"].map((name) =>
      details(page).getByRole("button", { name }),
    );
    expect([await previous?.isDisabled(), await next?.isDisabled()]).toEqual([true, false]);
    const [list, drawer] = [page.getByRole("region", { name: /^Ended calls/ }), details(page)];
    const edges = async () => [await list.boundingBox(), await drawer.boundingBox()] as const;
    await until(async () => {
      const [left, right] = await edges();
      return left !== null && right !== null && left.x + left.width <= right.x;
    });
    const isOpen = (call: string) => until(() => new URL(page.url()).searchParams.get("call") === call);
    await next?.click();
    await isOpen(older);
    await page.keyboard.press("k");
    await isOpen(newer);
    await page.keyboard.press("j");
    await isOpen(older);
    await page.keyboard.press("Escape");
    await page.locator(`[data-key] a[href*="${older}"]:focus`).waitFor();
    await page.context().close();
  });

  it("list earlier attempts of the same person in the task, each with its details, for viewers of numbers", async () => {
    const callee = "+12025550183";
    const missed = "missed-before";
    const before = { callee, hangup_reason: "busy", record_url: null };
    await stage.gateway.deliver(callEndedEvent({ ...before, session_id: missed, answer_at: null, billsec: 0 }));
    await stage.gateway.deliver(callEndedEvent({ ...before, task_id: 8 }));
    const reached = await stage.endCall({ taskId: 7, callee });
    const page = await stage.openAs("ops", `/live?call=${reached}`);
    const attempts = details(page).locator("section", { hasText: "Earlier attempts in this task" });
    await attempts.getByText("busy").waitFor();
    expect(await attempts.getByRole("listitem").count()).toBe(1);
    await attempts.getByRole("link").click();
    await details(page).getByText("Not answered: busy, after ").waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe(missed);
    expect(await details(page).getByText("Earlier attempts in this task").count()).toBe(0);
    await page.context().close();
    const other = await stage.openAs("reader", `/live?call=${reached}`);
    await details(other).getByText("Timeline").waitFor();
    const links = [/Earlier attempts/, /All calls of this person/, /^Copy the number$/];
    for (const text of links) expect(await details(other).getByText(text).count()).toBe(0);
    await other.context().close();
  });

  it("play the recording: with its waveform, by keyboard, and at another speed", async () => {
    const page = await stage.openAs("ops", `/live?call=${brief}`);
    const position = details(page).getByRole("slider", { name: "Position" });
    const at = async () => (await position.getAttribute("aria-valuetext"))?.split(" / ")[0];
    await until(async () => Number(await position.getAttribute("aria-valuemax")) > 0);
    expect(await position.getAttribute("aria-valuetext")).toBe("0 s / 1 s");
    const wave = (read: string) =>
      page.evaluate(`{ const { shadowRoot } = document.querySelector("[role=slider] > div"); ${read} }`);
    await until(() => wave("shadowRoot.querySelectorAll('.canvases canvas').length > 0"));
    // The sheet of the console is in place of the style that the policy refuses.
    expect(await wave("getComputedStyle(shadowRoot.querySelector('.progress')).position")).toBe("absolute");
    await details(page).getByRole("combobox", { name: "Speed" }).selectOption("0.75");
    await details(page).getByRole("button", { name: "Play" }).click();
    await until(async () => (await at()) !== "0 s");
    await until(async () => (await details(page).getByRole("button", { name: "Play" }).count()) === 1);
    await position.focus();
    await page.keyboard.press("ArrowLeft");
    await until(async () => (await at()) === "0 s");
    await page.keyboard.press("Space");
    await until(async () => (await at()) !== "0 s");
    expect(await details(page).getByRole("link", { name: "Download" }).getAttribute("href")).toMatch(/^\/recordings\//);
    await page.context().close();
  });

  it("follow each key in the player, also one that comes while the key before still moves the position", async () => {
    const page = await stage.openAs("ops", `/live?call=${brief}`);
    const position = details(page).getByRole("slider", { name: "Position" });
    const isAtEnd = async () => /^(.+) \/ \1$/.test((await position.getAttribute("aria-valuetext")) ?? "");
    await until(async () => Number(await position.getAttribute("aria-valuemax")) > 0);
    for (const keys of [["ArrowRight"], ["ArrowLeft", "ArrowRight"]]) {
      await page.evaluate(
        `for (const key of ${JSON.stringify(keys)})
          document.querySelector("[role=slider]").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))`,
      );
      await until(isAtEnd);
    }
    expect(await isAtEnd()).toBe(true);
    await page.context().close();
  });

  it("come from the service's list where the log has no event, near the time in the address", async () => {
    const startAt = "2026-01-05 10:00:00";
    stage.sandbox.control.seed({
      calls: [{ sessionId: "listed-only", callee: "+12025550190", startAt, answerAt: null, endAt: null }],
    });
    const page = await stage.openAs("ops", "/live?call=listed-only&around=2026-01-05T02:30:00Z");
    await details(page).getByText("From the service's list: the log has no event of this call.").waitFor();
    await details(page).getByText("+12025550190").first().waitFor();
    expect(await details(page).getByText("Hang-up").count()).toBe(0);
    await page.keyboard.press("Escape");
    await details(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
    await page.context().close();
  });

  it("say why there is no player: without recordings:read, and for a call that is not known", async () => {
    const page = await stage.openAs("reader", `/live?call=${session}`);
    await details(page).getByText("Your key lacks the scope recordings:read.").waitFor();
    expect(await details(page).getByRole("slider").count()).toBe(0);
    await page.goto(`${stage.proxy.url}/live?call=nothing`);
    await details(page).getByText("The gateway knows no call with this ID.").waitFor();
    await page.context().close();
  });

  it("list the revisions of a call of which more was learned later", async () => {
    const event = { session_id: "twice-told", task_id: 7, hangup_reason: "first" };
    await stage.gateway.deliver(callEndedEvent(event));
    await stage.gateway.deliver(callEndedEvent({ ...event, hangup_reason: "second" }));
    const page = await stage.openAs("ops", "/live?call=twice-told");
    await details(page).getByText("Revision 1").waitFor();
    await details(page).getByText("Revision 2").waitFor();
    expect(
      await details(page)
        .getByText(/^Webhook, /)
        .count(),
    ).toBe(2);
    await page.context().close();
  });

  it("show what the log has while the service fails, and say that something is missing", async () => {
    stage.sandbox.control.addFault({ match: { path: "/openapi/tasks/" }, kind: "status", status: 500 });
    const page = await stage.openAs("ops", `/live?call=${session}`);
    await details(page).getByText("Some of this could not be read from the calling service.").waitFor();
    await details(page).getByText("talked 1 m 23 s").waitFor();
    // While it fails: afterwards the page may ask by itself before the click, and the button is gone.
    await details(page).getByRole("button", { name: "Try again" }).click();
    stage.sandbox.control.clearFaults();
    await details(page).getByText("Autumn survey").waitFor();
    expect(await details(page).getByRole("alert").count()).toBe(0);
    await page.context().close();
  });

  it("throw nothing, and keep to the content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
