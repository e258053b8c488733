// Alerts on campaigns in a real browser: in the bar of every view, in Health and at their task.
import type { BrowserContextOptions, Page } from "playwright-core";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

const TASK = "424242";
const TEXT = `The answer rate of task ${TASK} is 0 %, below 50 %: the last 2 calls.`;
const rule = { kind: "answerRate", below: 0.5, window: { calls: 2 }, minCalls: 2 };

let stage: ConsoleStage;
let folder: string;

beforeAll(async () => {
  if (!hasChromium) return;
  folder = await mkdtemp(join(tmpdir(), "switchboard-"));
  const ALERTS_FILE = join(folder, "alerts.json");
  writeFileSync(
    ALERTS_FILE,
    JSON.stringify([
      { ...rule, name: "answers" },
      { ...rule, name: "all-calls", of: "all" },
    ]),
  );
  stage = await startConsole({}, { ALERTS_FILE });
  stage.sandbox.control.seed({ tasks: [{ id: Number(TASK), name: "Renewals" }] });
  await until(async () => {
    await stage.endCall({ taskId: TASK, answered: false });
    const query = "{ alerts(first: 5) { nodes { rule } } }";
    const { data } = await stage.gateway.ask<{ alerts: { nodes: unknown[] } }>(
      query,
      {},
      { authorization: bearer("ops") },
    );
    return data?.alerts.nodes.length === 2;
  });
});
afterAll(async () => {
  if (!hasChromium) return;
  await stage[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function expectFits(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}
const section = (page: Page) => page.getByRole("region", { name: "Open alerts" });

describe.skipIf(!hasChromium)("Alerts in the console (skipped where there is no Chromium)", () => {
  it("are in the bar for a reader, who follows them to Health and cannot acknowledge them", async () => {
    const page = await stage.openSignedIn("reader", "/live", { reducedMotion: "reduce" });
    await page.getByRole("link", { name: "2 alerts" }).click();
    await section(page).getByText(TEXT).waitFor();
    await section(page)
      .getByRole("link", { name: `Task ${TASK}` })
      .waitFor();
    expect(await section(page).getByRole("button").count()).toBe(0);
    await expectFits(page);
    await page.context().close();
  });

  it.each<[string, BrowserContextOptions]>([
    ["light", {}],
    [
      "dark, in Chinese and 360 px wide",
      { colorScheme: "dark", locale: "zh-CN", viewport: { width: 360, height: 740 } },
    ],
  ])("have no fault of accessibility and fit at their task and in Health: %s", async (_, options) => {
    const isChinese = options.locale === "zh-CN";
    const text = isChinese ? `任务 ${TASK} 的接通率为 0 %，低于 50 %（最近 2 通）。` : TEXT;
    const page = await stage.openSignedIn("ops", `/tasks?task=${TASK}`, { ...options, reducedMotion: "reduce" });
    await page.getByText(text).waitFor();
    await page.getByRole("button", { name: isChinese ? "我已处理" : "I have seen to it" }).waitFor();
    await expectFits(page);
    await page.goto(page.url().replace(/\/tasks.*/, "/status"));
    await page.getByText(text).waitFor();
    await expectFits(page);
    await page.context().close();
  });

  it("say that they cannot be read, and that there are more than are shown, and ask for a task's own", async () => {
    const page = await stage.openSignedIn("reader", "/live", { reducedMotion: "reduce" });
    let isAway = true;
    const asked: (string[] | null)[] = [];
    await page.route("**/graphql", async (route) => {
      const sent = route.request().postDataJSON() as {
        query?: string;
        variables?: { taskIds: string[] | null };
      } | null;
      if (!sent?.query?.includes("ConsoleOpenAlerts")) return route.fallback();
      asked.push(sent.variables?.taskIds ?? null);
      if (isAway) return route.abort();
      const response = await route.fetch();
      const body = (await response.json()) as { data: { alerts: { pageInfo: object } } };
      body.data.alerts.pageInfo = { hasNextPage: true };
      return route.fulfill({ response, json: body });
    });
    await page.goto(page.url().replace(/\/live.*/, "/status"));
    await page.getByRole("link", { name: "Alerts cannot be read" }).waitFor();
    await section(page).getByText("Alerts cannot be read").waitFor();
    isAway = false;
    await page.goto(page.url().replace(/\/status.*/, `/tasks?task=${TASK}`));
    await page.getByRole("link", { name: "2+ alerts" }).waitFor();
    await section(page).getByText("Only the newest 1 are shown.").waitFor();
    expect(asked).toContainEqual([TASK]);
    // The page may be asking again.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.context().close();
  });

  it("are acknowledged by keyboard at their task, and leave the bar for everybody", async () => {
    const page = await stage.openSignedIn("ops", `/tasks?task=${TASK}`, { reducedMotion: "reduce" });
    const own = section(page).getByRole("listitem");
    await own.getByText(TEXT).waitFor();
    expect(await own.count()).toBe(1);
    await own.getByRole("button", { name: "I have seen to it" }).focus();
    await page.keyboard.press("Enter");
    await own.getByText("Seen to by ops,").waitFor();
    await page.getByRole("link", { name: "1 alert", exact: true }).first().waitFor();
    await expectFits(page);
    const query = "{ auditEvents(first: 1) { nodes { action actor } } }";
    const { data } = await stage.gateway.ask(query, {}, { authorization: bearer("admin") });
    expect(data).toEqual({ auditEvents: { nodes: [{ action: "ALERT_ACKNOWLEDGED", actor: "ops" }] } });
    await page.context().close();
    expect(stage.faults).toEqual([]);
  });
});
