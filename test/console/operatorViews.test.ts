// The views Health, Explore and Statistics in a real browser.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { until as waitUntil } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { countQuarantined, deliverToQuarantine } from "./quarantined.ts";

const NUMBER = "+8613800010001";

let stage: ConsoleStage;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
  stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
  for (const answered of [true, false, true])
    await stage.endCall({ taskId: 7, answered, callee: NUMBER, hangupReason: answered ? "normal" : "busy" });
  await stage.endCall({ answered: false, hangupReason: "busy" });
  await deliverToQuarantine(stage.gateway);
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const LOOKS: [string, BrowserContextOptions][] = [
  ["light", {}],
  ["dark, in Chinese and 360 px wide", { colorScheme: "dark", locale: "zh-CN", viewport: { width: 360, height: 740 } }],
];

async function expectFits(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

describe.skipIf(!hasChromium)("The console's Health view (skipped where there is no Chromium)", () => {
  it.each(LOOKS)("shows an admin the service, the log, recordings and the quarantine: %s", async (_, options) => {
    const page = await stage.openSignedIn("admin", "/status", { ...options, reducedMotion: "reduce" });
    const facts = page.locator("dl").first();
    await facts.getByText(/^(4 entries|4 条)$/).waitFor();
    await page.getByText(/^(The service answers|外呼服务有响应)$/).waitFor();
    await page.getByText("The body is not JSON.").last().waitFor();
    await page.locator("summary").last().click();
    await page.getByText("not json", { exact: true }).waitFor();
    await expectFits(page);
    await page.context().close();
  });

  it("shows a viewer without admin whether the service answers, and asks the graph for nothing else", async () => {
    const page = await stage.open("/status");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.postData() ?? ""));
    await page.locator("#key").fill(bearer("reader"));
    await page.keyboard.press("Enter");
    await page.getByText("Reachable", { exact: true }).waitFor();
    await page.getByText("are shown to keys with the scope admin").waitFor();
    expect(asked.filter((body) => /quarantine|gateway|forgetPhone|audit/i.test(body))).toEqual([]);
    await expectFits(page);
    await page.context().close();
  });

  it("reads a delivery again, says why it still cannot be read, and discards it after a question", async () => {
    const page = await stage.openSignedIn("admin", "/status", { reducedMotion: "reduce" });
    const delivery = page.getByRole("listitem").filter({ has: page.getByText("not json", { exact: true }) });
    await delivery.getByRole("button", { name: "Read again" }).click();
    await delivery.getByText("It still cannot be read: The body is not JSON.").waitFor();
    const before = await countQuarantined(stage.gateway);
    await delivery.getByRole("button", { name: "Discard…" }).click();
    const question = page.getByRole("alertdialog", { name: "Discard this delivery?" });
    expect(await findFaults(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await countQuarantined(stage.gateway)).toBe(before);
    await delivery.getByRole("button", { name: "Discard…" }).click();
    await question.getByRole("button", { name: "Discard the delivery" }).click();
    await delivery.getByText("The delivery was discarded.").waitFor();
    expect(await countQuarantined(stage.gateway)).toBe((before ?? 0) - 1);
    // The same page: a body whose sender declared a wrong charset, and events that do not end a call.
    const other = page.getByRole("listitem").filter({ hasText: '"gbk"' });
    await other.getByRole("combobox", { name: "Charset" }).selectOption("gb18030");
    await other.getByRole("button", { name: "Read again" }).click();
    await other.getByText("Read. Its call is in the log now.").waitFor();
    await page.getByRole("combobox", { name: "Which deliveries" }).selectOption("NOT_ENDED");
    await page.getByRole("listitem").getByRole("button", { name: "Read again" }).click();
    await page.getByText("It still cannot be read: The event does not show that its call has ended").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await expectFits(page);
    await page.context().close();
  });
});

/** Whether two colours look the same: the parts of hsl() are rounded. */
function isNear(one: string, other: string): boolean {
  const [parts = [], others = []] = [one, other].map((text) => text.match(/[\d.]+/g)?.map(Number));
  return parts.length >= 3 && parts.slice(0, 3).every((part, at) => Math.abs(part - (others[at] ?? NaN)) <= 3);
}

describe.skipIf(!hasChromium)("The console's Explore view (skipped where there is no Chromium)", () => {
  it("runs an operation in GraphiQL with the key of the tab, in a frame that fits", async () => {
    const page = await stage.openSignedIn("reader", "/explore");
    const answered = page.waitForResponse((response) => (response.request().postData() ?? "").includes("__schema"));
    const frame = page.frameLocator("iframe");
    expect((await answered).ok()).toBe(true);
    expect(await frame.getByLabel("API key or token").isVisible()).toBe(false);
    await frame.getByRole("button", { name: /execute query/i }).click();
    await frame.getByRole("menuitem", { name: "Today" }).click();
    await frame.getByText("totalCount").nth(1).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await waitUntil(async () => ((await frame.locator(".graphiql-response").boundingBox())?.width ?? 0) > 200);
    await expectFits(page);
    await page.context().close();
  });

  it("looks like the console, also in a chosen theme, uses the width, and opens the documentation at the first visit", async () => {
    const page = await stage.openSignedIn("reader", "/explore", { viewport: { width: 1920, height: 900 } });
    const frame = page.frameLocator("iframe");
    const container = frame.locator(".graphiql-container").first();
    const button = frame.locator(".graphiql-execute-button");
    const styleOf = (target: Locator, name: "color" | "backgroundColor" | "fill" | "fontFamily") =>
      target.evaluate((element, property) => getComputedStyle(element)[property], name);
    const expectAlike = async () => {
      const [accent, text] = [
        await styleOf(page.locator("aside rect").first(), "fill"),
        await styleOf(page.locator("h1"), "color"),
      ];
      await waitUntil(async () => isNear(await styleOf(button, "backgroundColor"), accent));
      expect([await styleOf(container, "color"), text]).toSatisfy(([one = "", other = ""]) => isNear(one, other));
      return accent;
    };
    await frame.getByRole("button", { name: "Hide Documentation Explorer" }).waitFor();
    const light = await expectAlike();
    expect(await styleOf(container, "fontFamily")).toBe(await styleOf(page.locator("body"), "fontFamily"));
    expect(await frame.locator(".graphiql-logo").isVisible()).toBe(false);
    const { x = 0, width = 0 } = (await page.locator("iframe").boundingBox()) ?? {};
    expect(x + width).toBe(1920);
    await page.getByTitle("Dark").click();
    await waitUntil(async () => (await styleOf(page.locator("aside rect").first(), "fill")) !== light);
    await expectAlike();
    await frame.getByRole("button", { name: "Hide Documentation Explorer" }).click();
    await page.reload();
    await frame.getByRole("button", { name: "Show Documentation Explorer" }).waitFor();
    await page.context().close();
  });

  it.each([
    ["GRAPHQL_VALIDATION_FAILED", "Introspection is off on this gateway."],
    ["DOCUMENT_NOT_TRUSTED", "This gateway runs only trusted documents."],
  ])("says why there is no GraphiQL where introspection is refused with %s", async (code, words) => {
    const page = await stage.open("/explore");
    await page.route("**/graphql", async (route) => {
      if (!route.request().postData()?.includes("__schema")) return route.continue();
      return route.fulfill({ json: { errors: [{ message: "No.", extensions: { code } }] } });
    });
    await page.locator("#key").fill(bearer("reader"));
    await page.keyboard.press("Enter");
    await page.getByText(words).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    await expectFits(page);
    await page.context().close();
  });
});

describe.skipIf(!hasChromium)("The console's Statistics view (skipped where there is no Chromium)", () => {
  const figure = (page: Page, name: string) => page.locator("dl > div").filter({ has: page.getByText(name) });
  const countCalls = async (filter: string) => {
    const query = `{ callStats(filter: { ${filter} }) { calls } }`;
    const headers = { authorization: bearer("admin") };
    const { data } = await stage.gateway.ask<{ callStats: { calls: number } }>(query, {}, headers);
    return data?.callStats.calls ?? 0;
  };

  it.each(LOOKS)("counts by time, task and reason, with a table for screen readers: %s", async (_, options) => {
    const page = await stage.openSignedIn("reader", "/statistics", { ...options, reducedMotion: "reduce" });
    const calls = await countCalls('since: "2020-01-01T00:00:00Z"');
    await figure(page, options.locale ? "通话" : "Calls")
      .first()
      .getByText(String(calls), { exact: true })
      .waitFor();
    await page.getByRole("link", { name: "Autumn survey" }).waitFor();
    await page.locator(".uplot canvas").waitFor();
    const rows = page.getByRole("row");
    expect(await rows.filter({ hasText: /^busy/ }).getByRole("cell").allTextContents()).toEqual([
      "2",
      expect.stringContaining("%"),
      expect.stringMatching(/^0/),
    ]);
    // The calls may have ended in two hours.
    const inTime = await page
      .getByRole("table", { name: options.locale ? /每小时通话/ : /Calls per hour/ })
      .locator("tbody td:first-of-type")
      .allTextContents();
    expect(inTime.reduce((sum, text) => sum + Number(text), 0)).toBe(calls);
    await expectFits(page);
    await page.context().close();
  });

  it("compares with the range before in words, and keeps range and filters in the address", async () => {
    const start = Math.ceil(Date.now() / 1000) * 1000;
    const [since, until] = [start, start + 3_600_000].map((ms) => new Date(ms).toISOString());
    const before = await countCalls(`until: "${since}"`);
    await waitUntil(() => Date.now() > start);
    for (let at = 0; at < before * 2; at++) stage.sandbox.control.endCall({ answered: false });
    await waitUntil(async () => (await countCalls(`since: "${since}"`)) === before * 2);
    const page = await stage.openSignedIn("reader", `/statistics?since=${since}&until=${until}`);
    await figure(page, "Calls").first().getByText("▲ 100 % more than before").waitFor();
    await figure(page, "Calls").first().getByText(`${before} before`).waitFor();
    await figure(page, "Answer rate")
      .getByText(/^▼ [\d.]+ points lower/)
      .waitFor();
    await page.getByText(/^Compared with .* The log begins on .* are not counted\.$/).waitFor();

    await page.getByRole("combobox", { name: "Direction" }).click();
    await page.getByRole("option", { name: "Inbound" }).click();
    await page.waitForURL(/direction=inbound/);
    expect(new URL(page.url()).searchParams.get("since")).toBe(since?.replace(".000", ""));
    await page.reload();
    await page.getByRole("combobox", { name: "Direction: Inbound" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL((url) => !url.searchParams.has("direction"));
    await page.context().close();
  });

  it("says that a range has no calls, and leads to a wider one by keyboard alone", async () => {
    const page = await stage.openSignedIn(
      "reader",
      "/statistics?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z",
    );
    await page.getByText("No calls in this range.").waitFor();
    await expectFits(page);
    await page.getByRole("button", { name: "Show the last 30 days" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Calls per day" }).waitFor();
    expect(new URL(page.url()).search).toBe("?range=30d");
    await page.context().close();
  });
});

describe.skipIf(!hasChromium)("The views for operators", () => {
  it("throw nothing, and keep to their content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
