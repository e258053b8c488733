// What the bar of every view says when something is wrong, and what stays in sight then.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { TOKEN } from "../support/sandbox.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { badge, expectAccessible, openView } from "./stateBadge.ts";

let stage: ConsoleStage;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
  stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
  await stage.endCall({ answered: false, hangupReason: "busy" });
  await stage.endCall({ taskId: 7 });
});
afterEach(async () => {
  if (!hasChromium) return;
  await failService(null);
});
afterAll(() => stage?.[Symbol.asyncDispose]());

interface Day {
  gateway: { lastDay: { webhooks: number }[] };
}
const VIEWS = ["Calls", "Tasks", "Statistics", "Destinations", "Privacy", "Audit", "Explore", "Health"];

/** `status`: what the service answers to every request; null: what it should. */
async function failService(status: number | null): Promise<void> {
  const method = status === null ? "DELETE" : "POST";
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const body = status === null ? null : JSON.stringify({ match: { path: "/openapi" }, kind: "status", status });
  const { ok } = await fetch(`${stage.sandbox.url}/sandbox/faults`, { method, headers, body });
  expect(ok).toBe(true);
}
const refuse = (headers: Record<string, string>) =>
  fetch(`${stage.gateway.url}/calllog`, { method: "POST", headers, body: "{}" });

describe.skipIf(!hasChromium)("The state of the console (skipped where there is no Chromium)", () => {
  it("is that all is well, to an admin, and that the page is connected to a viewer who does not see webhooks", async () => {
    const admin = await stage.openSignedIn("admin", "/statistics");
    await badge(admin).getByText("All well").first().waitFor();
    await admin.context().close();
    const reader = await stage.openSignedIn("reader", "/statistics");
    await badge(reader).getByText("Connected").first().waitFor();
    await badge(reader).getByRole("link").click();
    await reader.getByText("The gateway answers").waitFor();
    expect(await reader.getByText(/webhook/i).count()).toBe(0);
    await reader.context().close();
  });

  it("says that webhooks come and cannot be read", async () => {
    for (let at = 0; at < 3; at += 1) expect((await stage.gateway.deliver({ event_name: 1 })).status).toBe(200);
    const page = await stage.openSignedIn("admin", "/live", { reducedMotion: "reduce" });
    await badge(page).getByText("The last 3 webhooks could not be read").waitFor();
    await stage.endCall();
    await badge(page).getByText("All well").first().waitFor();
    await page.context().close();
  });

  it("says that the service does not answer, shows no list as empty, and keeps the names that were known", async () => {
    const page = await stage.openSignedIn("admin", "/tasks", { reducedMotion: "reduce" });
    await page.getByRole("link", { name: "Autumn survey" }).waitFor();
    await failService(503);
    await page.reload();
    await page.getByText(/The tasks could not be brought up to date/).waitFor();
    await badge(page)
      .getByText(/^Service does not answer since \d\d:\d\d$/)
      .first()
      .waitFor();
    await page.getByText("The tasks could not be read.").waitFor();
    expect(await page.getByText("No tasks yet.").count()).toBe(0);
    await expectAccessible(page);
    await openView(page, "Calls");
    await page
      .getByText(/The calling service does not answer/)
      .first()
      .waitFor();
    expect(await page.getByText("No calls", { exact: false }).count()).toBe(0);
    await page.getByRole("combobox", { name: "Task" }).click();
    await page.getByText("The list could not be read now. There may be others.").waitFor();
    await page.context().close();
  });

  it("keeps rows and names of tasks while a later read of the service fails, and says as of when they are", async () => {
    const page = await stage.openSignedIn("admin", "/tasks", { reducedMotion: "reduce" });
    await page.getByRole("link", { name: "Autumn survey" }).waitFor();
    await openView(page, "Calls");
    // The tasks before it have rows of the same name.
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
    await page.locator("[data-key]").getByText("Autumn survey").first().waitFor();
    await failService(503);
    await page.getByRole("button", { name: "Read the list again" }).click();
    await page.getByText(/Shown as of \d\d:\d\d:\d\d\./).waitFor();
    await page.locator("[data-old] [data-key]").getByText("Autumn survey").first().waitFor();
    await openView(page, "Statistics");
    await page.getByRole("link", { name: "Autumn survey" }).waitFor();
    await expectAccessible(page);
    await page.context().close();
  });

  it("says that the service refuses the token, and that it answers again", async () => {
    await failService(401);
    const page = await stage.openSignedIn("admin", "/calls");
    await badge(page).getByText("The service refuses the token").first().waitFor();
    await failService(null);
    await openView(page, "Tasks");
    await badge(page).getByText("All well").first().waitFor();
    await page.context().close();
  });

  it("tells a viewer without admin that the service did not answer this page, until it does", async () => {
    await failService(503);
    const page = await stage.openSignedIn("reader", "/calls");
    await badge(page)
      .getByText(/^Service does not answer since/)
      .first()
      .waitFor();
    await failService(null);
    await badge(page).getByText("Connected").first().waitFor();
    await page.context().close();
  });

  it("charts the webhooks of the last 24 hours and their delay, with a table for screen readers", async () => {
    const page = await stage.openSignedIn("admin", "/status", { reducedMotion: "reduce" });
    const day = page.getByRole("region", { name: "last 24 hours" });
    await day.locator(".uplot canvas").nth(1).waitFor();
    const query = "{ gateway { lastDay { webhooks } } }";
    const asked = await stage.gateway.ask<Day>(query, {}, { authorization: bearer("admin") });
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    const cells = await day.locator("tbody tr td:nth-child(2)").allInnerTexts();
    expect(sum(cells.map(Number))).toBe(sum(asked.data?.gateway.lastDay.map(({ webhooks }) => webhooks) ?? []));
    expect(sum(cells.map(Number))).toBeGreaterThan(0);
    await expectAccessible(page);
    await page.context().close();
  });

  it("says in each view that webhooks are refused, since when and how many, and leads to what to do", async () => {
    await refuse({ authorization: "mistyped" });
    await refuse({ authorization: "mistyped" });
    const page = await stage.openSignedIn("admin", "/live", { reducedMotion: "reduce" });
    const words = /^Webhooks are refused since \d\d:\d\d \(2\)$/;
    await badge(page).getByText(words).waitFor();
    for (const name of VIEWS) {
      await openView(page, name);
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await badge(page).getByText(words).waitFor();
    }
    await openView(page, "Statistics");
    await badge(page).getByRole("link").click();
    await page.waitForURL(/\/status#webhooks$/);
    const line = page.locator("#state-webhooks:focus");
    await line.getByText("Their Authorization header is wrong.").waitFor();
    await expectAccessible(page);
    await stage.endCall();
    // For a minute the refused ones are still told.
    await badge(page)
      .getByText(/^(2 of \d webhooks of the last minute were refused|All well)$/)
      .first()
      .waitFor();
    await page.context().close();
  });

  it("throws nothing, and asks only what its manifest has", () => {
    expect(stage.faults).toEqual([]);
  });
});

describe.skipIf(!hasChromium)("The state of a console whose gateway reads the service's clock in a wrong zone", () => {
  it("says by how many hours times look off", async () => {
    await using wrong = await startConsole({ timeZone: "Asia/Shanghai" }, { UPSTREAM_TIME_ZONE: "Europe/Istanbul" });
    for (let at = 0; at < 10; at += 1) wrong.sandbox.control.endCall({});
    const page = await wrong.openSignedIn("admin", "/explore", { reducedMotion: "reduce" });
    await badge(page).getByText("Times look 5 h off").first().waitFor();
    await badge(page).getByRole("link").click();
    await page
      .locator("#state-times:focus")
      .getByText(/UPSTREAM_TIME_ZONE seems to be wrong/)
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });
});
