// Two eyes in the console's Tasks view, in a real browser: a task is proposed, approved or declined, and sent once.
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { en as create } from "../../console/src/views/tasks/create/texts/en.ts";
import { en as plan } from "../../console/src/views/tasks/plan/texts/en.ts";
import { en } from "../../console/src/views/tasks/proposals/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { decideAt, proposeTo, type Decision } from "./proposing.ts";
import { creationsAt, failCreationOnce, fillForm, TEN_O_CLOCK } from "./taskForm.ts";

describe.skipIf(!hasChromium)("Proposals in the console (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole(
      { speed: 240, now: () => Date.now() + TEN_O_CLOCK },
      { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North" },
    );
  });
  afterAll(() => stage[Symbol.asyncDispose]());
  beforeEach(() => stage.sandbox.control.clearRequests());

  const creations = () => creationsAt(stage.sandbox);
  const waiting = (page: Page): Locator => page.getByRole("region", { name: en.waiting });

  const propose = (name: string, viewer?: string) => proposeTo(stage.gateway, name, viewer);
  const decide = (how: Decision, id: string, viewer: string) => decideAt(stage.gateway, how, id, viewer);

  async function openProposal(viewer: string, id: string, options?: BrowserContextOptions) {
    const page = await stage.openSignedIn(viewer, `/tasks?submission=${encodeURIComponent(id)}`, options);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { level: 3 }).first().waitFor();
    return { page, dialog };
  }
  async function approveIn(dialog: Locator): Promise<void> {
    await dialog.getByRole("button", { name: en.approve }).click();
    await dialog.getByText("Phone 2 people?").waitFor();
    await dialog.getByRole("button", { name: "Approve and phone 2 people" }).click();
  }

  it("goes from the same form to an approval by another viewer, and each follows it to the sent task", async () => {
    const page = await stage.openAs("proposer", "/tasks");
    await page.getByRole("link", { name: create.proposeTitle }).click();
    await fillForm(page, "Spring survey");
    await page.getByText(create.proposeHint).waitFor();
    await page.getByLabel("Type 2 to confirm").fill("2");
    expect(await page.getByRole("button", { name: "Phone 2 people", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Propose to phone 2 people" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(en.stepWaiting).waitFor();
    await dialog.getByText(/^It expires at .+ at the service\)/).waitFor();
    expect(await dialog.getByRole("button", { name: en.approve }).count()).toBe(0);
    expect(creations()).toEqual([]);

    const other = await stage.openAs("approver", "/tasks");
    const entry = waiting(other).getByRole("listitem").filter({ hasText: "Spring survey" });
    for (const text of ["2 people", "by proposer"]) await entry.getByText(text, { exact: true }).waitFor();
    await entry.getByRole("link").click();
    const decision = other.getByRole("dialog");
    for (const text of ["Renewal (11)", "North (61)", "proposer"]) await decision.getByText(text).first().waitFor();
    await decision.getByText(/ 00:00–23:59 Asia\/Shanghai/).waitFor();
    await decision.getByText("+1 United States, Canada and others: 2 people").waitFor();
    await approveIn(decision);
    await decision.getByText(en.approved).waitFor();
    for (const shown of [decision, dialog]) await shown.getByText("Known as a task").waitFor();
    await dialog.getByText("Approved by approver").waitFor();
    await decision.getByText("Approved by you").waitFor();
    await until(async () => (await entry.count()) === 0);
    expect(creations().length).toBe(1);
    const pages = [await page.content(), await other.content()];
    expect(pages.filter((html) => html.includes("2025550111"))).toEqual([]);
    await page.context().close();
    await other.context().close();
  });

  it("says before an approval when it calls, or why that is not known, and asks again by itself", async () => {
    const id = await propose("Asked again");
    const { page, dialog } = await openProposal("judge", id);
    const question = dialog.getByRole("region", { name: en.decision });
    await dialog.getByText(/09:00–18:00 Asia\/Shanghai/).waitFor();
    await page.clock.install();
    let isAway = true;
    await page.route("**/graphql", (route) =>
      isAway && route.request().postData()?.includes("ConsoleProposedPlan") ? route.abort() : route.fallback(),
    );
    await dialog.getByRole("button", { name: en.approve }).click();
    await question.getByRole("alert").filter({ hasText: plan.checkFailed }).waitFor();
    await question.getByText(/^Trying again in \d+ s/).waitFor();
    isAway = false;
    await page.clock.fastForward(60_000);
    await question.getByText(/09:00–18:00 Asia\/Shanghai/).waitFor();
    expect(await question.getByRole("alert").filter({ hasText: /\S/ }).count()).toBe(0);
    await decide("decline", id, "approver");
    await page.context().close();
  });

  it("is declined with a reason that its proposer reads at once, and nothing is sent", async () => {
    const id = await propose("Declined");
    const { page, dialog } = await openProposal("proposer", id);
    const other = await openProposal("judge", id);
    await other.dialog.getByRole("button", { name: en.decline }).click();
    await other.dialog.getByLabel(en.reason).fill("Wrong list");
    await other.dialog.getByRole("button", { name: en.declineConfirm }).click();
    await other.dialog.getByText(en.declined).waitFor();
    await dialog.getByText("Declined by judge").waitFor();
    await dialog.getByText(/Reason: Wrong list/).waitFor();
    expect(creations()).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  it("lists proposals for a viewer that may only approve, as they come, and says when none waits", async () => {
    const page = await stage.openSignedIn("judge", "/tasks");
    await page.getByText(en.none).waitFor();
    const id = await propose("Comes later");
    await waiting(page).getByText("Comes later").waitFor();
    await decide("decline", id, "approver");
    await page.getByText(en.none).waitFor();
    expect(await waiting(page).count()).toBe(0);
    await page.context().close();
  });

  it("cannot be approved by the viewer that proposed it, which may decline it", async () => {
    const id = await propose("My own", "both");
    const { page, dialog } = await openProposal("both", id);
    await dialog.getByText(en.own).waitFor();
    expect(await dialog.getByRole("button", { name: en.approve }).count()).toBe(0);
    await waiting(page).getByText(en.byYou).waitFor();
    await dialog.getByRole("button", { name: en.decline }).click();
    await dialog.getByRole("button", { name: en.declineConfirm }).click();
    await dialog.getByText(en.declined).waitFor();
    expect(creations()).toEqual([]);
    await page.context().close();
  });

  it("tells the second of two approvers what the first one did, and is sent once", async () => {
    const [approved, declined] = [await propose("Two approve"), await propose("Two differ")];
    const first = await openProposal("judge", approved);
    await first.dialog.getByRole("button", { name: en.approve }).click();
    await decide("approve", approved, "approver");
    await first.dialog.getByText(en.meanwhile).waitFor();
    await first.dialog.getByText("Approved by approver").waitFor();
    expect(await first.dialog.getByRole("button", { name: /Approve/ }).count()).toBe(0);
    await first.page.context().close();

    for (const [id, text, how] of [
      [await propose("Late approval"), /^It had been approved before, by approver/, "approve"],
      [declined, /^It had been declined before, by approver/, "decline"],
    ] as const) {
      const { page, dialog } = await openProposal("judge", id);
      // The other viewer is faster than this request.
      await page.route("**/graphql", async (route) => {
        if (route.request().postData()?.includes("ConsoleApproveTask")) await decide(how, id, "approver");
        await route.fallback();
      });
      await approveIn(dialog);
      await dialog.getByText(text).waitFor();
      await page.context().close();
    }
    expect(creations().length).toBe(2);
  });

  it("is sent once where the connection breaks during the approval, and the page says what is known", async () => {
    const id = await propose("Broken connection");
    failCreationOnce(stage.sandbox, { kind: "latency", ms: 3000 });
    const { page, dialog } = await openProposal("judge", id);
    await approveIn(dialog);
    await until(() => creations().length === 1);
    stage.proxy.isClosed = true;
    stage.proxy.cutAll();
    await dialog.getByText(en.unanswered).waitFor();
    stage.proxy.isClosed = false;
    await dialog.getByText("Approved by you").waitFor();
    await dialog.getByText("Accepted by the service").waitFor();
    await dialog.getByText(en.approved).waitFor();
    expect(creations().length).toBe(1);
    await page.context().close();
  });

  it("waits on where the approval did not arrive or the service is away, and may be approved again", async () => {
    const id = await propose("Not arrived");
    const { page, dialog } = await openProposal("judge", id);
    let isLost = true;
    await page.route("**/graphql", (route) => {
      const isApproval = route.request().postData()?.includes("ConsoleApproveTask") ?? false;
      return isApproval && isLost ? route.abort() : route.fallback();
    });
    await approveIn(dialog);
    await dialog.getByText(en.unansweredApprove).waitFor();
    expect(creations()).toEqual([]);
    isLost = false;
    failCreationOnce(stage.sandbox, { kind: "status", status: 429 });
    await dialog.getByRole("button", { name: en.approveAgain }).click();
    await dialog.getByRole("button", { name: "Approve and phone 2 people" }).click();
    await dialog.getByText(en.unavailable).waitFor();
    await approveIn(dialog);
    await dialog.getByText("Accepted by the service").waitFor();
    expect(creations().length).toBe(2);
    await page.context().close();
  });

  it("is opened, questioned and approved by keyboard alone", async () => {
    await propose("By keyboard");
    const page = await stage.openSignedIn("judge", "/tasks");
    await waiting(page).getByRole("link", { name: "By keyboard" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: en.approve }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("region", { name: en.decision }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Approve and phone 2 people" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByText(en.approved).waitFor();
    expect(creations().length).toBe(1);
    await page.context().close();
  });

  const windows: [string, BrowserContextOptions][] = [
    ["in a wide, light window", {}],
    ["in a wide window, dark and in Chinese", { colorScheme: "dark", locale: "zh-CN" }],
    ["in a window of 360 px, dark", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
    ["in a window of 360 px in Chinese", { viewport: { width: 360, height: 740 }, locale: "zh-CN" }],
  ];
  it.each(windows)("has no fault of accessibility and fits: %s", async (title, options) => {
    const id = await propose(`A survey with a long name about renewals ${title}`);
    const own = await stage.openSignedIn("both", "/tasks", { ...options, reducedMotion: "reduce" });
    await own.getByRole("link", { name: /^A survey/ }).waitFor();
    const isWide = () => own.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect([await findFaults(own), await isWide()]).toEqual([[], 0]);
    await own.getByRole("link", { name: /^A survey/ }).click();
    const dialog = own.getByRole("dialog");
    const decision = dialog.getByRole("region", { name: /^(Decision|审批)$/ });
    await decision.getByRole("button").first().waitFor();
    expect([await findFaults(own), await isWide()]).toEqual([[], 0]);
    await decision.getByRole("button").last().click();
    await decision.getByRole("textbox").waitFor();
    expect([await findFaults(own), await isWide()]).toEqual([[], 0]);
    await decide("decline", id, "approver");
    await dialog.getByText(/Not today/).waitFor();
    expect(await findFaults(own)).toEqual([]);
    await own.context().close();
  });

  it("throws nothing, and keeps to its content security policy and its trusted documents", () => {
    expect(stage.faults).toEqual([]);
  });
});
