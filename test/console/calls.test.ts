// The Calls view in a real browser against a real gateway: filters and their address, pages, the export, and other viewers.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { FORMULA, NUMBER, PAST, PAST_CALLS, testExport, untilRows } from "./callsExport.ts";
import { findFaults } from "./findFaults.ts";
import { shownSessions, startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";

const WEEK_CALLS = 130;

describe.skipIf(!hasChromium)("The console's Calls view (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let ended: string[];
  beforeAll(async () => {
    stage = await startConsole();
    const past = Date.parse("2026-03-02T12:00:00Z");
    stage.sandbox.control.seed({
      tasks: [{ id: 7, name: "Autumn survey" }, { id: 8 }],
      calls: [
        ...Array.from({ length: PAST_CALLS }, (_, at) => ({
          sessionId: `past-${at}`,
          taskId: 7,
          callee: NUMBER,
          startAt: past - at * 60_000,
        })),
        ...Array.from({ length: WEEK_CALLS }, (_, at) => ({
          sessionId: `week-${at}`,
          taskId: 8,
          startAt: Date.now() - 5 * 86_400_000 - at * 60_000,
        })),
        { sessionId: "test-call", kind: "privateTest", direction: "outbound", callee: "+12025550199" },
      ],
    });
    ended = [
      await stage.endCall({ taskId: 7, callee: NUMBER, talkTime: 83, hangupReason: FORMULA, extra: { 姓名: "Li" } }),
      await stage.endCall({ answered: false, hangupSide: "caller", hangupReason: "no answer" }),
    ];
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("lets the service apply each filter, holds it in the address, and clears all of them", async () => {
    const page = await stage.openAs("ops", "/calls?range=1h");
    await untilRows(page, 3);
    await page.getByRole("combobox", { name: "Direction" }).click();
    await page.getByRole("option", { name: "Inbound" }).click();
    await untilRows(page, 1);
    expect(await shownSessions(page)).toEqual([ended[1]]);
    await page.getByRole("combobox", { name: "Direction" }).click();
    await page.getByRole("option", { name: "any" }).click();
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Test calls" }).click();
    await untilRows(page, 1);
    expect([await shownSessions(page), new URL(page.url()).search]).toEqual([["test-call"], "?range=1h&kind=test"]);
    await page.reload();
    await untilRows(page, 1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await untilRows(page, 3);
    expect(new URL(page.url()).search).toBe("?range=1h");
    await page.getByRole("combobox", { name: "Task" }).click();
    await page.getByRole("option", { name: "Autumn survey" }).click();
    await untilRows(page, 1);
    expect([await shownSessions(page), new URL(page.url()).search]).toEqual([[ended[0]], "?range=1h&task=7"]);
    await page.context().close();
  });

  it("sends the phone number of a filter to no address that a server sees", async () => {
    const page = await stage.openAs("ops", "/calls?range=1h");
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.getByLabel("Phone number").fill(NUMBER);
    await page.keyboard.press("Enter");
    await untilRows(page, 1);
    await page.getByText(/^Asked for .*\+12025550173 \(\d+\)/).waitFor();
    expect(new URL(page.url()).hash).toContain(encodeURIComponent(NUMBER));
    await page.reload();
    await untilRows(page, 1);
    expect(addresses.filter((address) => /2025550173/.test(address.split("#", 1)[0] ?? ""))).toEqual([]);
    await page.context().close();
  });

  it("takes a time range in the viewer's zone, says it in the service's, and keeps it in the address", async () => {
    const page = await stage.openAs("ops", "/calls", { timezoneId: "Europe/Berlin" });
    const picker = page.getByRole("button", { name: /^Time range: / });
    expect(await picker.textContent()).toMatch(/^Time range: Today CES?T$/);
    await picker.click();
    const dialog = page.getByRole("dialog", { name: "Time range" });
    await dialog.getByLabel("From").fill("2026-03-02T01:00:00");
    await dialog.getByLabel("To").fill("2026-03-01T01:00:00");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.getByText("The range must end after it begins.").waitFor();
    await dialog.getByLabel("To").fill("2026-03-03T01:00:00");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await untilRows(page, PAST_CALLS);
    expect(decodeURIComponent(new URL(page.url()).search)).toBe(`?${PAST}`);
    await picker.click();
    await dialog.getByText("Asia/Shanghai").waitFor();
    await dialog.getByText("2 Mar, 08:00 – 3 Mar, 08:00").waitFor();
    await dialog.getByRole("button", { name: "Last hour" }).click();
    await untilRows(page, 3);
    expect(new URL(page.url()).search).toBe("?range=1h");
    await page.context().close();
  });

  it("shows one page at a time with its position, without a call missing or there twice", async () => {
    const page = await stage.openAs("ops", `/calls?${PAST}`);
    const seen = new Set<string>();
    const collect = async (position: string) => {
      await page.getByText(position).waitFor();
      for (let at = 0; at <= 3600; at += 500) {
        await page.evaluate(`document.querySelector("[data-rows]").scrollTo(0, ${at})`);
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        for (const session of await shownSessions(page)) seen.add(session);
      }
    };
    await collect("1–100 of 230 calls");
    await page.getByRole("button", { name: "Next page" }).click();
    await collect("101–200 of 230 calls");
    await page.keyboard.press("]");
    await collect("201–230 of 230 calls");
    expect([seen.size, await page.getByRole("button", { name: "Next page" }).isDisabled()]).toEqual([PAST_CALLS, true]);
    await page.keyboard.press("[");
    await page.getByText("101–200 of 230 calls").waitFor();
    await page.context().close();
  });

  it("keeps the page in the address over a reload and the back button, also in a range that moves with the clock", async () => {
    const page = await stage.openAs("ops", "/calls?range=7d&task=8");
    await page.getByText(`1–100 of ${WEEK_CALLS} calls`).waitFor();
    await page.keyboard.press("]");
    const second = page.getByText(`101–${WEEK_CALLS} of ${WEEK_CALLS} calls`);
    await second.waitFor();
    const { searchParams } = new URL(page.url());
    const past = new Date(Date.parse(searchParams.get("at") ?? "") - 3_600_000).toISOString();
    expect([searchParams.get("offset"), searchParams.has("after")]).toEqual(["100", true]);
    await page.reload();
    await second.waitFor();
    await page.locator("[data-key] a").first().click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("[");
    await page.getByText(`1–100 of ${WEEK_CALLS} calls`).waitFor();
    await page.goBack();
    await second.waitFor();
    await page.getByRole("button", { name: "Read the list again" }).click();
    await page.getByText(`1–100 of ${WEEK_CALLS} calls`).waitFor();
    expect(new URL(page.url()).search).toBe("?range=7d&task=8");
    searchParams.set("at", past);
    await page.goto(`${stage.proxy.url}/calls?${searchParams.toString()}`);
    await page.getByText("This place in the log is not valid any more.").waitFor();
    await page.context().close();
  });

  it("says that calls ended since, and shows them when it reads the list again", async () => {
    const page = await stage.openAs("ops", "/calls?range=1h&direction=outbound");
    await page.getByText(/^1–\d of \d calls$/).waitFor();
    const fresh = await stage.endCall({ taskId: 7, sessionId: "ended-since" });
    await page.getByRole("button", { name: "1 call ended since. Show it" }).click();
    await until(async () => (await shownSessions(page)).includes(fresh));
    expect(await page.getByText(/ended since/).count()).toBe(0);
    await page.context().close();
  });

  it("keeps the page in sight while the service fails, counts down to the next try, and goes on by itself", async () => {
    const page = await stage.openAs("ops", `/calls?${PAST}`);
    await untilRows(page, PAST_CALLS);
    stage.sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 500 });
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("The list could not be brought up to date.").waitFor();
    await page.getByText(/Trying again in \d s/).waitFor();
    expect((await shownSessions(page))[0]).toBe("past-0");
    stage.sandbox.control.clearFaults();
    await page.getByText("101–200 of 230 calls").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.context().close();
  });

  testExport(() => ({ stage, ended }));

  it("opens a call that only the service lists in the details, with the time that finds it in the address", async () => {
    const page = await stage.openAs("ops", `/calls?${PAST}`);
    await untilRows(page, PAST_CALLS);
    await page.locator("[data-key]").first().click();
    const details = page.getByRole("dialog");
    await details.getByText("From the service's list: the log has no event of this call.").waitFor();
    await page.reload();
    await details.getByText(NUMBER).first().waitFor();
    expect(new URL(page.url()).searchParams.get("around")).toBe("2026-03-02T12:00:00.000Z");
    await page.context().close();
  });

  it("works by keyboard: to the filters, through the rows, into the details and back", async () => {
    const page = await stage.openAs("ops", `/calls?${PAST}`);
    await untilShown(page, ["past-0", "past-1"]);
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Direction" }).and(page.locator(":focus")).waitFor();
    for (const key of ["j", "j", "k", "Enter"]) {
      await page.keyboard.press(key);
      if (key !== "Enter") await page.locator("[data-key] a:focus").waitFor();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
    await page.getByRole("dialog").and(page.locator(":focus")).waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe("past-0");
    await page.keyboard.press("Escape");
    await page.locator('[data-key] a[href*="past-0"]:focus').waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).getByText("Next page, previous page").waitFor();
    await page.context().close();
  });

  it.each([
    ["in a wide window", {}],
    ["in a window of 360 px, dark and in Chinese", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
  ] as const)(
    "has no fault of accessibility, with the range, the export and an empty list: %s",
    async (name, options) => {
      const isChinese = name.includes("Chinese");
      const page = await stage.openAs("ops", `/calls?${PAST}`, {
        ...options,
        locale: isChinese ? "zh-CN" : "en-GB",
        reducedMotion: "reduce",
      });
      await page.locator("[data-key]").first().waitFor();
      expect(await findFaults(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      await page.getByRole("button", { name: isChinese ? /^时间范围/ : /^Time range/ }).click();
      await page.getByRole("dialog").waitFor();
      expect(await findFaults(page, ["region", "target-size"])).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: isChinese ? "导出" : "Export" }).click();
      await page.getByRole("menuitem").first().waitFor();
      expect(await findFaults(page, ["region", "target-size"])).toEqual([]);
      await page.goto(`${stage.proxy.url}/calls?since=2025-01-01T00:00:00Z&until=2025-01-02T00:00:00Z`);
      await page.getByText(isChinese ? "此时间范围内没有通话。" : "No calls in this time range.").waitFor();
      expect(await findFaults(page)).toEqual([]);
      await page.context().close();
    },
  );

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
