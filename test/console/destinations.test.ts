// The console's Destinations view in a real browser.
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { startFakeService, type FakeService } from "../support/fakeService.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const PHONE = "+8613800010001";

let stage: ConsoleStage;
let receiver: FakeService;
let folder: string;
const messages: string[] = [];
let answer: (body: string, response: ServerResponse) => void = (_, response) => void response.writeHead(204).end();

beforeAll(async () => {
  if (!hasChromium) return;
  receiver = await startFakeService(
    createServer((request, response) => {
      void text(request).then((body) => {
        messages.push(body);
        answer(body, response);
      });
    }),
  );
  folder = await mkdtemp(join(tmpdir(), "switchboard-"));
  const file = join(folder, "destinations.json");
  writeFileSync(
    file,
    JSON.stringify([
      { name: "crm", kind: "event", url: `${receiver.url}/hook?token=canary`, secrets: [SECRET], from: "oldest" },
      { name: "off", kind: "event", url: `${receiver.url}/off`, secrets: [SECRET], enabled: false },
      { name: "chat", kind: "slack", url: `${receiver.url}/chat?key=canary` },
    ]),
  );
  const DESTINATION_HOSTS = new URL(receiver.url).host;
  stage = await startConsole({}, { DESTINATIONS_FILE: file, DESTINATION_HOSTS });
});
afterAll(async () => {
  if (!hasChromium) return;
  await stage[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const ask = async <Data>(query: string) =>
  (await stage.gateway.ask<Data>(query, {}, { authorization: bearer("admin") })).data;
const crm = (page: Page) => page.getByRole("region", { name: "crm" });

async function expectFits(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

describe.skipIf(!hasChromium)("The console's Destinations view (skipped where there is no Chromium)", () => {
  it("shows how a destination fares, sends a test, and pauses and resumes it by keyboard", async () => {
    await stage.endCall({ callee: PHONE });
    await until(() => messages.length > 0);
    const page = await stage.openSignedIn("admin", "/live", { reducedMotion: "reduce" });
    // A busy machine may take longer between the keys than the first one waits for the second.
    await until(async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      return new URL(page.url()).pathname === "/destinations";
    });
    await page.getByRole("heading", { level: 1, name: "Destinations" }).waitFor();
    await crm(page).getByText("Active", { exact: true }).waitFor();
    await crm(page).getByText("0 entries").waitFor();
    await crm(page).getByText("HTTP 204").waitFor();
    const off = page.getByRole("region", { name: "off" });
    await off.getByText("Switched off", { exact: true }).waitFor();
    expect(await off.getByText("Send again from a place in the log…").count()).toBe(0);
    expect(await page.locator("body").innerText()).not.toContain("canary");
    await crm(page).getByRole("button", { name: "Send a test" }).focus();
    await page.keyboard.press("Enter");
    await crm(page).getByText("The test was answered with HTTP 204").waitFor();
    expect(messages.filter((body) => body.includes("call.ended.test"))).toHaveLength(1);
    await crm(page).getByRole("button", { name: "Pause" }).focus();
    await page.keyboard.press("Enter");
    await crm(page).getByText("Paused", { exact: true }).waitFor();
    await expectFits(page);
    const query = "{ destinations { name state } }";
    expect(await ask(query)).toMatchObject({ destinations: [{ name: "crm", state: "PAUSED" }, {}, {}] });
    const before = messages.length;
    await stage.endCall({ callee: PHONE });
    await crm(page).getByText("1 entry").waitFor();
    expect(messages).toHaveLength(before);
    await crm(page).getByRole("button", { name: "Go on" }).focus();
    await page.keyboard.press("Enter");
    await until(() => messages.length === before + 1);
    await crm(page).getByText("Active", { exact: true }).waitFor();
    await page.context().close();
  });

  it("shows a chat that gets alerts, tests it, and pauses it", async () => {
    const page = await stage.openSignedIn("admin", "/destinations", { reducedMotion: "reduce" });
    const chat = page.getByRole("region", { name: "chat" });
    await chat.getByText("Alerts go to it as they come, and no calls.").waitFor();
    expect(await chat.innerText()).not.toMatch(/Behind by|Send again from|canary/);
    await chat.getByRole("button", { name: "Send a test" }).click();
    await chat.getByText("The test was answered with HTTP 204").waitFor();
    expect(messages.at(-1)).toContain("A test: this chat gets Switchboard's alerts.");
    const taken = answer;
    answer = (_, response) => void response.end('{"ok":false}');
    await chat.getByRole("button", { name: "Send a test" }).click();
    await chat.locator("[data-state=bad]").getByText('{"ok":false}').waitFor();
    answer = taken;
    await chat.getByRole("button", { name: "Pause" }).click();
    await chat.getByText("Its alerts wait.").waitFor();
    await expectFits(page);
    await chat.getByRole("button", { name: "Go on" }).click();
    await chat.getByText("Active", { exact: true }).waitFor();
    await page.context().close();
  });

  it("shows events that were not taken with the answer, sends one again, and sends again from a cursor after a question", async () => {
    answer = (body, response) =>
      void response.writeHead(422).end(`cannot read the call of ${PHONE} ${body.length > 0}`);
    const sessionId = await stage.endCall({ callee: PHONE });
    const page = await stage.openSignedIn("admin", "/destinations", { reducedMotion: "reduce" });
    await crm(page).getByText("1 event that was not taken").click();
    const letter = crm(page).getByRole("listitem");
    await letter.getByRole("link", { name: sessionId }).waitFor();
    await letter.getByText("HTTP 422: cannot read the call of +8613****0001").waitFor();
    await expectFits(page);
    const cursor = await letter.locator("code").innerText();
    const sendNow = letter.getByRole("button", { name: "Send now" });
    await crm(page).getByRole("button", { name: "Pause" }).click();
    await until(() => sendNow.isDisabled());
    await crm(page).getByRole("button", { name: "Go on" }).click();
    await until(() => sendNow.isEnabled());
    answer = (_, response) => void response.writeHead(204).end();
    await sendNow.click();
    await letter.getByText("It is sent as soon as the receiver may get something.").waitFor();
    await crm(page).getByText("1 event that was not taken").waitFor({ state: "detached" });
    await stage.endCall();
    const before = messages.length;
    await crm(page).getByText("Send again from a place in the log…").click();
    await crm(page).getByRole("radio", { name: "A cursor" }).check();
    const field = crm(page).getByLabel("Cursor", { exact: true });
    await field.fill("0000000001AAAAAAAAAAAAAAAA");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Send all events after this cursor to crm again?" });
    await question.getByRole("button", { name: "Send again" }).click();
    await crm(page).getByText("That was not done.").waitFor();
    const resumes = question.getByText("It is paused or disabled, and goes on by this.");
    expect(await resumes.count()).toBe(0);
    await question.waitFor({ state: "hidden" });
    await crm(page).getByRole("button", { name: "Pause" }).click();
    await crm(page).getByText("Paused", { exact: true }).waitFor();
    await field.fill(cursor);
    await page.keyboard.press("Enter");
    await resumes.waitFor();
    await expectFits(page);
    await question.getByRole("button", { name: "Send again" }).click();
    await crm(page).getByText("It goes on from there.").waitFor();
    await until(() => messages.length > before);
    await crm(page).getByText("Active", { exact: true }).waitFor();
    await page.context().close();
  });

  it("sends again what came since a time, after a question", async () => {
    await stage.endCall({ callee: PHONE });
    const page = await stage.openSignedIn("admin", "/destinations", { reducedMotion: "reduce" });
    await crm(page).getByText("0 entries").waitFor();
    const before = messages.length;
    await crm(page).getByText("Send again from a place in the log…").click();
    await crm(page)
      .getByLabel(/^Time \(/)
      .fill("2020-01-01T00:00:00");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Send all events since this time to crm again?" });
    await expectFits(page);
    await question.getByRole("button", { name: "Send again" }).click();
    await crm(page).getByText("It goes on from there.").waitFor();
    await until(() => messages.length > before + 1);
    await page.context().close();
  });

  it.each<[string, BrowserContextOptions]>([
    ["light", {}],
    [
      "dark, in Chinese and 360 px wide",
      { colorScheme: "dark", locale: "zh-CN", viewport: { width: 360, height: 740 } },
    ],
    ["800 px wide", { viewport: { width: 800, height: 700 } }],
  ])("has no fault of accessibility and fits: %s", async (_, options) => {
    const page = await stage.openSignedIn("admin", "/destinations", { ...options, reducedMotion: "reduce" });
    await page.getByRole("region", { name: "crm" }).waitFor();
    await page.locator("summary").first().click();
    await expectFits(page);
    // The words of the rail have their room, too.
    const isCut = "[...document.querySelectorAll('nav a')].some((each) => each.scrollWidth > each.clientWidth + 1)";
    expect(await page.evaluate(isCut)).toBe(false);

    await page.context().close();
  });

  it("is not offered to a key without admin", async () => {
    const page = await stage.openSignedIn("reader", "/destinations");
    await page.getByText("Your key does not allow this view.").waitFor();
    expect(await page.getByRole("link", { name: "Destinations" }).count()).toBe(0);
    await page.context().close();
    expect(stage.faults).toEqual([]);
  });
});
