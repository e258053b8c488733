// Alerts about destinations in a real browser: in the bar, in Health and at their destination, for admins alone.
import type { BrowserContextOptions, Page, Response } from "playwright-core";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alertSetup } from "../alerts/contract.ts";
import { fails } from "../alerts/destinationWorld.ts";
import { SECRET } from "../destinations/receiver.ts";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { startFakeService, type FakeService } from "../support/fakeService.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

const TEXT = /^The destination crm answered 410 \(gone\) and was disabled\./;
const CHINESE = /^目标 crm 返回了 410，已停用。/;

let stage: ConsoleStage;
let receiver: FakeService;
let folder: string;

beforeAll(async () => {
  if (!hasChromium) return;
  receiver = await startFakeService(createServer((_, response) => void response.writeHead(410).end()));
  folder = await mkdtemp(join(tmpdir(), "switchboard-"));
  const file = join(folder, "destinations.json");
  const ALERTS_FILE = join(folder, "alerts.json");
  writeFileSync(ALERTS_FILE, JSON.stringify([fails()]));
  const event = { kind: "event", url: receiver.url, secrets: [SECRET], from: "oldest" };
  writeFileSync(
    file,
    JSON.stringify([
      { ...event, name: "crm" },
      { ...event, name: "other", enabled: false },
    ]),
  );
  const env = { ALERTS_FILE, DESTINATIONS_FILE: file, DESTINATION_HOSTS: new URL(receiver.url).host };
  stage = await startConsole({}, env, { alertTimes: alertSetup.TIMES });
  await stage.endCall();
  await until(async () => {
    const query = "{ alerts(first: 5) { nodes { rule } } }";
    const headers = { authorization: bearer("admin") };
    const { data } = await stage.gateway.ask<{ alerts: { nodes: unknown[] } }>(query, {}, headers);
    return data?.alerts.nodes.length === 1;
  });
});
afterAll(async () => {
  if (!hasChromium) return;
  await stage[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function expectFits(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

describe.skipIf(!hasChromium)("Alerts about destinations in the console (skipped where there is no Chromium)", () => {
  it.each<[string, BrowserContextOptions]>([
    ["light", {}],
    [
      "dark, in Chinese and 360 px wide",
      { colorScheme: "dark", locale: "zh-CN", viewport: { width: 360, height: 740 } },
    ],
  ])("are at their destination, without a fault of accessibility, and fit: %s", async (_, options) => {
    const isChinese = options.locale === "zh-CN";
    const page = await stage.openSignedIn("admin", "/destinations", { ...options, reducedMotion: "reduce" });
    const title = isChinese ? "crm 的未结束警报" : "Open alerts about crm";
    await page
      .getByRole("region", { name: title })
      .getByText(isChinese ? CHINESE : TEXT)
      .waitFor();
    await page.getByRole("region", { name: "other", exact: true }).waitFor();
    expect(await page.getByText(isChinese ? CHINESE : TEXT).count()).toBe(1);
    await expectFits(page);
    await page.context().close();
  });

  it("lead from the bar to Health and to the destination, and leave the bar when somebody has seen to them", async () => {
    const page = await stage.openSignedIn("admin", "/live", { reducedMotion: "reduce" });
    await page.getByRole("link", { name: "1 alert" }).click();
    const list = page.getByRole("region", { name: "Open alerts" });
    await list.getByText(TEXT).waitFor();
    await expectFits(page);
    await list.getByRole("link", { name: "Destination crm" }).click();
    const own = page.getByRole("region", { name: "Open alerts about crm" });
    await own.getByRole("button", { name: "I have seen to it" }).click();
    await own.getByText("Seen to by admin,").waitFor();
    await page.getByRole("link", { name: "1 alert" }).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("are not there for a viewer without admin", async () => {
    const page = await stage.openSignedIn("reader", "/status", { reducedMotion: "reduce" });
    const isAsked = (response: Response) => response.request().postData()?.includes("ConsoleOpenAlerts") ?? false;
    const answer = page.waitForResponse(isAsked, { timeout: 0 });
    const { data } = (await (await answer).json()) as { data: { alerts: { nodes: unknown[] } } };
    expect(data.alerts.nodes).toEqual([]);
    expect(await page.getByText(TEXT).count()).toBe(0);
    await page.context().close();
    expect(stage.faults).toEqual([]);
  });
});
