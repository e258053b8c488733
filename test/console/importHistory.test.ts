// The import of earlier calls in the console.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, seedEnds } from "../history/imports.ts";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

let stage: ConsoleStage;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole({}, { RATE_LIMIT: "1000000" });
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const part = (page: Page) => page.getByRole("region", { name: /^(Earlier calls|历史通话)$/ });

describe.skipIf(!hasChromium)("The import of earlier calls in the console (skipped where there is no Chromium)", () => {
  it("is offered to an admin where nothing was imported, in the empty list of Live, too", async () => {
    const page = await stage.openSignedIn("admin", "/live");
    await page.getByRole("link", { name: "Import the calls from before the install." }).click();
    await part(page).getByText("switchboard import --since 2026-10-01").waitFor();
    expect(await findFaults(page)).toEqual([]);
    const reader = await stage.openSignedIn("reader", "/live");
    await reader.getByText("No calls yet.").waitFor();
    expect(await reader.getByRole("link", { name: /Import/ }).count()).toBe(0);
  });

  it("shows how far it is, is cancelled, and tells what it has added, in both languages", async () => {
    const { sandbox } = stage;
    sandbox.control.endCall({});
    await until(async () => {
      const headers = { authorization: bearer("admin") };
      const { data } = await stage.gateway.ask<{ callStats: { calls: number } }>(
        "{ callStats { calls } }",
        {},
        headers,
      );
      return data?.callStats.calls === 1;
    });
    seedEnds(sandbox, [Date.now() - 3 * DAY, Date.now() - 2 * DAY]);
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 503 });
    const page = await stage.openSignedIn("admin", "/status", { reducedMotion: "reduce" });
    await part(page).getByLabel("From when on").selectOption({ label: "The last 30 days" });
    await part(page).getByRole("button", { name: "Import" }).click();
    await part(page).getByRole("progressbar", { name: "Progress of the import" }).waitFor();
    await part(page).getByRole("alert").getByText("It waits").waitFor();
    expect(await findFaults(page)).toEqual([]);
    await part(page).getByRole("button", { name: "Cancel the import" }).click();
    await part(page).getByText("Cancelled.").waitFor();
    sandbox.control.clearFaults();
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 403 });
    await part(page).getByRole("button", { name: "Import" }).click();
    await part(page).getByText("Failed.").waitFor();
    await part(page).getByRole("alert").getByText("Reason: ").waitFor();
    sandbox.control.clearFaults();
    await part(page).getByRole("button", { name: "Import" }).click();
    await part(page).getByRole("status").getByText("2 calls added").waitFor();
    const chinese = await stage.openSignedIn("admin", "/status", { locale: "zh-CN" });
    await part(chinese).getByText("已添加 2 通通话").waitFor();
    expect(await findFaults(chinese)).toEqual([]);
  });

  it("leaves Statistics with the end of the oldest call, also where a newer one is before it in the log", async () => {
    const page = await stage.openSignedIn("reader", "/statistics?range=30d", { timezoneId: "UTC" });
    const day = new Intl.DateTimeFormat("en", { day: "numeric", timeZone: "UTC" }).format(Date.now() - 3 * DAY);
    const text = page.getByText("The log begins on");
    await text.waitFor();
    expect(await text.textContent()).toMatch(new RegExp(`The log begins on .*\\b${day}\\b.* are not counted`));
  });

  it("throws nothing, and asks only what its manifest has", () => {
    expect(stage.faults).toEqual([]);
  });
});
