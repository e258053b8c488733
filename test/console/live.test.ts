// The Live view in a real browser: calls arrive, filters, the pause, a lost connection, and what a viewer may not see.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { meterPage } from "../../bench/support/pageMeter.ts";
import { bearer } from "../support/keys.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { shownSessions, startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { heapTextOf } from "./heapText.ts";

const NUMBER = "+12025550173";

describe.skipIf(!hasChromium)("The console's Live view (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let taskId: string;
  beforeAll(async () => {
    stage = await startConsole();
    [taskId = ""] = stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] }).taskIds;
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("shows the calls of the log first, then each call as it ends, on top and once", async () => {
    const before = [await stage.endCall(), await stage.endCall()];
    const page = await stage.openAs("ops");
    await untilShown(page, before.toReversed());
    const after = [await stage.endCall(), await stage.endCall()];
    await untilShown(page, [...after.toReversed(), ...before.toReversed()]);
    expect(new Set(await shownSessions(page)).size).toBe(4);
    await page.context().close();
  });

  it("names the outcome, the party that hung up, the reason, the task and the length of the talk", async () => {
    await stage.endCall({ taskId: 7, answered: true, talkTime: 83, hangupSide: "callee", hangupReason: "normal" });
    const page = await stage.openAs("ops");
    const row = page.locator("[data-key]").first();
    for (const text of ["Answered", "Customer", "normal", "Autumn survey", "1 m 23 s"])
      await row.getByText(text).waitFor();
    expect(await row.getByRole("link").count()).toBe(1);
    await page.context().close();
  });

  it("lets the gateway apply the filter, keeps it in the address, and clears it", async () => {
    const page = await stage.openAs("ops");
    const sent: string[] = [];
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(String(payload))));
    await page.getByRole("combobox", { name: "Outcome" }).click();
    await page.getByRole("option", { name: "Not answered" }).click();
    await page.getByText("No call matches these filters.").waitFor();
    expect(new URL(page.url()).search).toBe("?outcome=unanswered");
    await stage.endCall({ answered: true });
    const missed = await stage.endCall({ answered: false });
    await untilShown(page, [missed]);
    expect(await shownSessions(page)).toEqual([missed]);

    await page.reload();
    await untilShown(page, [missed]);
    await until(() => sent.some((payload) => payload.includes('"filter":{"answered":false}')));
    await page.getByRole("button", { name: "Clear filters" }).click();
    await until(async () => (await shownSessions(page)).length > 1);
    expect(new URL(page.url()).search).toBe("");
    await page.context().close();
  });

  it("sends the phone number of a filter to no address that a server sees", async () => {
    const called = await stage.endCall({ taskId: 7, callee: NUMBER });
    const page = await stage.openAs("ops");
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.getByLabel("Phone number").fill(NUMBER);
    await page.keyboard.press("Enter");
    await until(async () => (await shownSessions(page)).join() === called);
    expect(new URL(page.url()).hash).toContain(encodeURIComponent(NUMBER));
    await page.reload();
    await until(async () => (await shownSessions(page)).join() === called);
    expect(addresses.filter((address) => /2025550173/.test(address.split("#", 1)[0] ?? ""))).toEqual([]);
    await page.context().close();
  });

  it("holds the list while it is paused, counts what came, and shows it in order afterwards", async () => {
    const page = await stage.openAs("ops");
    const before = await stage.endCall();
    await untilShown(page, [before]);
    await page.keyboard.press("p");
    const meanwhile = [await stage.endCall(), await stage.endCall(), await stage.endCall()];
    await page.getByText("Show 3 new").waitFor();
    expect((await shownSessions(page))[0]).toBe(before);
    await page.getByRole("button", { name: "Go on" }).click();
    await untilShown(page, [...meanwhile.toReversed(), before]);
    expect(await page.getByText(/Show \d+ new/).count()).toBe(0);
    await page.context().close();
  });

  it("says that it reconnects, and after a lost connection no call is missing and none is there twice", async () => {
    const page = await stage.openAs("ops");
    const before = await stage.endCall();
    await untilShown(page, [before]);
    stage.proxy.isClosed = true;
    stage.proxy.cutAll();
    const badge = page.getByRole("group", { name: "State" });
    await badge
      .getByText(/^Gateway not reachable, showing /)
      .first()
      .waitFor();
    const missed = [await stage.endCall(), await stage.endCall(), await stage.endCall()];
    stage.proxy.isClosed = false;
    await badge
      .getByText("Connected", { exact: true })
      .first()
      .waitFor()
      .catch(async (cause: unknown) => {
        throw new Error(`The connection is shown as: ${await badge.innerText()}`, { cause });
      });
    const after = await stage.endCall();
    await untilShown(page, [after, ...missed.toReversed(), before]);
    const shown = await shownSessions(page);
    expect(new Set(shown).size).toBe(shown.length);
    await page.context().close();
  });

  it("shows masked numbers to a viewer without people:read, and no whole number is in the page or its memory", async () => {
    await stage.endCall({ taskId: 7, callee: NUMBER, extra: { note: `call ${NUMBER} again` } });
    const page = await stage.openAs("reader");
    await page.locator("[data-key]").first().click();
    await page.getByRole("dialog").getByText("Your key lacks the scope people:read.").waitFor();
    await page.getByRole("img", { name: "Masked: your key lacks the scope people:read." }).first().waitFor();
    expect(await page.getByLabel("Phone number").count()).toBe(0);
    const [content, memory] = [await page.content(), await heapTextOf(page)];
    const holds = (text: string) => [content.includes(text), memory.includes(text)];
    expect(holds("+120****0173")).toEqual([true, true]);
    expect(holds("2025550173")).toEqual([false, false]);
    await page.context().close();
  });

  it("charts the last hour of the calls that the filter lets through, with a table for screen readers", async () => {
    const { data } = await stage.gateway.ask<{ callStats: { calls: number; answered: number } }>(
      `{ callStats(filter: { taskIds: ["${taskId}"] }) { calls answered } }`,
      {},
      { authorization: bearer("ops") },
    );
    const { calls = 0 } = data?.callStats ?? {};
    const page = await stage.openAs("ops", `/live?task=${taskId}`);
    const counted = () =>
      page.evaluate<number>(
        `[...document.querySelectorAll("table:has(caption) tbody tr td:nth-of-type(1)")]
          .filter((cell) => cell.closest("table").caption.textContent.startsWith("Calls per minute"))
          .reduce((sum, cell) => sum + Number(cell.textContent), 0)`,
      );
    await until(async () => (await counted()) === calls);
    expect(await page.locator(".uplot canvas").count()).toBe(2);
    await stage.endCall({ taskId: 7 });
    await until(async () => (await counted()) === calls + 1);
    await page.context().close();
  });

  it("shows the benchmark's meter its first row, a task that blocks it, its heap and its frames", async () => {
    const page = await stage.openAs("ops");
    const meter = await meterPage(page);
    await page.reload();
    expect(await meter.firstRowMs()).toBeGreaterThan(0);
    await page.evaluate("setTimeout(() => { const end = performance.now() + 120; while (performance.now() < end); })");
    await until(async () => (await meter.longTasks()).some(({ ms }) => ms >= 119));
    expect(await meter.heapMb()).toBeGreaterThan(1);
    const { framesPerSecond, longestFrameMs } = await meter.scroll(200);
    expect([framesPerSecond > 0, longestFrameMs > 0]).toEqual([true, true]);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
