// A walk through the console as a person takes it: from an opened page, by what is in sight, each errand in at most six clicks. The
// browser counts the clicks. Typing, Tab, Enter and Space do not count, and neither does the system's dialog for files, which takes a
// typed name and Enter.
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { bearer } from "../support/keys.ts";
import { startConsole, untilPartsLoaded, type ConsoleStage } from "./consoleStage.ts";
import { tabTo } from "./tabTo.ts";
import { creationsAt } from "./taskForm.ts";

const MOST_CLICKS = 6;
const COUNT = "window.clicks = 0; addEventListener('pointerdown', () => (window.clicks += 1), true)";
const NUMBER = "+8613900020002";
const WITH_BLANKS = "139 0002 0002";

/** 500 rows of a spreadsheet that writes semicolons, seven of which nobody can be phoned by. */
const FAULTS = ["", "unknown", "1.38E+10", "+1 202 555 1000", "12", "+1 202 555 0190 / +1 202 555 0191", "139****0001"];
const PEOPLE = Array.from({ length: 493 }, (_, at) => `"Lee, ${at}";+1 202 555 ${1000 + at}`);
const ROWS = [...PEOPLE.slice(0, 99), ...FAULTS.map((cell, at) => `Faulty ${at};${cell}`), ...PEOPLE.slice(99)];
const TABLE = Buffer.from(`\ufeff${["Name;Phone", ...ROWS].join("\r\n")}\r\n`);

let stage: ConsoleStage;
beforeAll(async () => {
  if (!hasChromium) return;
  // The gateway finds out within a second that its service is away.
  const env = { RECONCILE_INTERVAL_S: "1", KNOWN_ASSISTANTS: "11=Renewal,12=Survey", KNOWN_LINES: "61=North,62=South" };
  stage = await startConsole({}, env);
});
afterEach(() => {
  if (!hasChromium) return;
  stage.proxy.isClosed = false;
  stage.sandbox.control.clearFaults();
  stage.sandbox.control.resetWebhook();
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const view = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const state = (page: Page) => page.getByRole("group", { name: "State" }).getByRole("link");

async function openAs(viewer: string): Promise<Page> {
  const page = await stage.openSignedIn(viewer, viewer === "admin" ? "/live" : "/tasks");
  await page.evaluate(COUNT);
  return page;
}
/** Types where the focus is, as a person does after a click or Tab. */
async function type(page: Page, target: Locator, text: string): Promise<void> {
  await target.and(page.locator(":focus")).waitFor();
  await page.keyboard.type(text);
}
async function expectFewClicks(page: Page): Promise<void> {
  const clicks = await page.evaluate<number>("window.clicks");
  expect(clicks).toBeGreaterThan(0);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  await page.context().close();
}

describe.skipIf(!hasChromium)("A person, in at most six clicks (skipped where there is no Chromium),", () => {
  it("finds yesterday's call of a number that is written with blanks", async () => {
    const noon = new Date().setHours(12, 0, 0, 0);
    const at = (days: number, callee: string) => {
      const startAt = new Date(noon).setDate(new Date(noon).getDate() - days);
      return { callee, startAt, answerAt: startAt + 3000, endAt: startAt + 83_000 };
    };
    const { control } = stage.sandbox;
    // A call of today came by its webhook.
    await stage.endCall({ callee: NUMBER, ringTime: 0, talkTime: 0 });
    control.seed({ calls: [at(2, NUMBER), at(1, "+8613900020003")] });
    const [session] = control.seed({ calls: [at(1, NUMBER)] }).sessionIds;
    const page = await openAs("admin");
    // So that midnight does not come between.
    await page.clock.setFixedTime(noon);
    await view(page, "Calls").click();
    await page.getByRole("button", { name: /^Time range/ }).click();
    await page.getByRole("button", { name: "Yesterday" }).click();
    const field = page.getByRole("searchbox", { name: "Phone number" });
    await field.click();
    await type(page, field, WITH_BLANKS);
    await page.keyboard.press("Enter");
    await page.getByText("1–1 of 1 call").waitFor();
    await page.locator("[data-key]").click();
    await page.getByRole("dialog", { name: "Call" }).getByText("Spoke for 1 m 20 s").waitFor();
    expect(new URL(page.url()).searchParams.get("call")).toBe(session);
    await expectFewClicks(page);
  });

  /** The badge says what is wrong, and its line in Health what to do. */
  async function reads(page: Page, inTheBar: RegExp, advice: RegExp): Promise<void> {
    await state(page).getByText(inTheBar).waitFor();
    await state(page).click();
    const line = page.getByRole("listitem").and(page.locator(":focus"));
    await line.getByText(inTheBar).waitFor();
    await line.getByText(advice).waitFor();
    await expectFewClicks(page);
  }

  it("says why live events stopped: the gateway is away", async () => {
    const page = await openAs("admin");
    await state(page).getByText("All well").waitFor();
    await untilPartsLoaded(page);
    stage.proxy.isClosed = true;
    stage.proxy.cutAll();
    await reads(
      page,
      /^Gateway not reachable, showing \d\d:\d\d:\d\d$/,
      /Check the gateway's process and the network\./,
    );
  });

  it("says why live events stopped: the service is away", async () => {
    const page = await openAs("admin");
    await state(page).getByText("All well").waitFor();
    stage.sandbox.control.addFault({ match: { path: "/openapi" }, kind: "status", status: 503 });
    await reads(page, /^Service does not answer since \d\d:\d\d$/, /Ask the operator of the service\./);
  });

  it("says why live events stopped: the service's clock is in another zone than the gateway is told", async () => {
    // Five hours ahead of Shanghai.
    await using other = await emptySandbox({ timeZone: "Pacific/Tongatapu" });
    connectSandbox(other, stage.gateway);
    const page = await openAs("admin");
    for (let at = 0; at < 10; at += 1) other.control.endCall({});
    await reads(page, /^Times look 5 h off$/, /UPSTREAM_TIME_ZONE seems to be wrong/);
  });

  it("says why live events stopped: the service sends a wrong header", async () => {
    const page = await openAs("admin");
    stage.sandbox.control.setWebhook({ url: `${stage.gateway.url}/calllog`, authorization: "mistyped" });
    for (let at = 0; at < 3; at += 1) stage.sandbox.control.endCall({});
    await reads(page, /^Webhooks are refused since \d\d:\d\d( \(\d+\))?$/, /Their Authorization header is wrong\./);
  });

  it("proposes a task from a semicolon table of 500 with 7 faults, and another person approves it", async () => {
    const page = await openAs("proposer");
    await page.getByRole("link", { name: "Propose a task" }).click();
    const name = page.getByLabel("Name", { exact: true });
    await name.click();
    await type(page, name, "Autumn survey");
    await page.getByRole("option", { name: "Survey (12)" }).waitFor({ state: "attached" });
    await tabTo(page, page.getByRole("combobox", { name: "Assistant" }));
    await page.keyboard.type("Survey");
    await page.getByRole("checkbox", { name: "North (61)" }).click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByText("Upload a CSV file").click();
    await (await chooser).setFiles({ name: "people.csv", mimeType: "text/csv", buffer: TABLE });
    await page.getByText("493 people can be phoned. 7 rows are left out:").waitFor();
    const faulty = page.getByRole("region", { name: "Rows that are left out" }).locator("tbody tr");
    expect(await faulty.count()).toBe(7);
    await page.getByText("This task phones 493 people with “Survey” over 1 line").waitFor();
    const confirmation = page.getByLabel("Type 493 to confirm");
    await confirmation.click();
    await type(page, confirmation, "493");
    await page.getByRole("button", { name: "Propose to phone 493 people" }).click();
    await page.getByRole("dialog").getByText("Waits for the approval of another viewer").waitFor();
    await expectFewClicks(page);
    expect(creationsAt(stage.sandbox)).toEqual([]);

    const approver = await openAs("approver");
    await approver.getByRole("link", { name: "Autumn survey" }).click();
    const dialog = approver.getByRole("dialog");
    await dialog.getByRole("button", { name: "Approve …" }).click();
    await dialog.getByRole("button", { name: "Approve and phone 493 people" }).click();
    await dialog.getByText("Accepted by the service").waitFor();
    await expectFewClicks(approver);
    expect(creationsAt(stage.sandbox)).toMatchObject([{ body: { name: "Autumn survey" } }]);
  });

  it("erases a person, whom no task calls any more", async () => {
    const writing = "139 0002 0004";
    const sessionId = await stage.endCall({ callee: "+8613900020004" });
    const page = await openAs("admin");
    await view(page, "Privacy").click();
    const form = page.getByRole("region", { name: "Erase a person" });
    await form.getByLabel("Phone number").click();
    await type(page, form.getByLabel("Phone number"), writing);
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: `Erase 1 person, ${writing}?` });
    await question.getByText("1 call", { exact: true }).waitFor();
    await question.getByRole("checkbox", { name: /^Never call this number again/ }).click();
    await question.getByRole("button", { name: `Erase ${writing}` }).click();
    await form.getByText("The number is on the never-call list now").waitFor();
    await expectFewClicks(page);
    const query = `query ($number: String!, $sessionId: ID!) {
      doNotCall { contains(number: $number) }
      callEnded(sessionId: $sessionId) { id }
    }`;
    const { data } = await stage.gateway.ask(
      query,
      { number: "13900020004", sessionId },
      { authorization: bearer("admin") },
    );
    expect(data).toEqual({ doNotCall: { contains: true }, callEnded: null });
  });

  it("meets no error", () => {
    expect(stage.faults).toEqual([]);
  });
});
