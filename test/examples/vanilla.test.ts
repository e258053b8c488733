import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newestTask } from "../e2e/submitting.ts";
import { textAt } from "../house/sources.ts";
import { hasChromium } from "../support/browserPage.ts";
import { keyOf } from "../support/keys.ts";
import { until } from "../support/until.ts";
import {
  createTaskInPage,
  listedCalls,
  openAs,
  see,
  seeText,
  sessionsIn,
  loseAnswer,
  useKey,
} from "./support/pageSteps.ts";
import { startStage, type Stage } from "./support/stage.ts";

const LISTED = 25;
const html = textAt("examples/vanilla/index.html");

async function fillSite(folder: string, gatewayUrl: string): Promise<void> {
  await mkdir(folder);
  expect(html).toContain('content="http://127.0.0.1:4000"');
  await writeFile(
    join(folder, "index.html"),
    html.replace('content="http://127.0.0.1:4000"', `content="${gatewayUrl}"`),
  );
}

/** The source of a content security policy that allows this element of the page and no other. */
function hashOf(element: RegExp): string {
  const [, text = ""] = element.exec(html) ?? [];
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

describe.skipIf(!hasChromium)("The page examples/vanilla, with EventSource", () => {
  let stage: Stage;
  beforeAll(async () => {
    const sources = { script: hashOf(/<script type="module">(.*)<\/script>/s), style: hashOf(/<style>(.*)<\/style>/s) };
    stage = await startStage(fillSite, {}, sources);
    stage.sandbox.control.seed({ calls: listedCalls(LISTED, Date.now()), tasks: [{ id: 7, name: "Survey" }] });
  });
  afterEach(() => stage.sandbox.control.clearFaults());
  afterAll(() => stage[Symbol.asyncDispose]());
  const alert = (code: string) => `[role=alert][data-code=${code}]`;

  it("is one file without dependencies", () => {
    expect(html).not.toMatch(/<script[^>]* src=|<link[^>]* href="(?!data:)|import /);
  });

  it("asks for a key, refuses a wrong one, and stores none that a script can read", async () => {
    const page = await stage.open();
    await see(page, page.locator(alert("UNAUTHENTICATED")));
    const answered = page.waitForResponse((response) => response.url().endsWith("/session"));
    await useKey(page, "wrong");
    expect((await answered).status()).toBe(401);
    await see(page, page.locator(alert("UNAUTHENTICATED")));
    await useKey(page, keyOf("web"));
    await seeText(page, "Signed in as web");
    await page.reload();
    await seeText(page, "Signed in as web");
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    await page.close();
  });

  it("lists the calls page by page, each once, with the service's total", async () => {
    const page = await openAs(stage, "web");
    await seeText(page, `10 of ${LISTED} calls`);
    await page.getByRole("button", { name: "Load more" }).click();
    await seeText(page, `20 of ${LISTED} calls`);
    await page.getByRole("button", { name: "Load more" }).click();
    await seeText(page, `${LISTED} of ${LISTED} calls`);
    expect(await page.getByRole("button", { name: "Load more" }).isVisible()).toBe(false);
    expect(await sessionsIn(page)).toEqual(listedCalls(LISTED, 0).map(({ sessionId }) => sessionId));
    await page.close();
  });

  it("asks everything again with another key, and shows nothing more after signing out", async () => {
    const page = await openAs(stage, "web");
    await useKey(page, keyOf("reader"));
    await seeText(page, "Signed in as reader");
    const live = await stage.endCall();
    await until(async () => (await sessionsIn(page))[0] === live);
    expect(await page.getByLabel("Name").isVisible()).toBe(false);
    await useKey(page, keyOf("clerk"));
    await see(page, page.locator(alert("FORBIDDEN")));
    expect(await sessionsIn(page)).toEqual([]);
    const ended = page.waitForResponse((response) => response.url().endsWith("/session"));
    await page.getByRole("button", { name: "Sign out" }).click();
    await ended;
    expect(await sessionsIn(page)).toEqual([]);
    await page.reload();
    await see(page, page.locator(alert("UNAUTHENTICATED")));
    await page.close();
  });

  it("shows each call that ends once, also those that ended while the gateway was away", async () => {
    const page = await openAs(stage, "web");
    const before = await stage.endCall();
    await until(async () => (await sessionsIn(page))[0] === before);
    const missed: string[] = [];
    for (let restarts = 0; restarts < 2; restarts += 1)
      await stage.restart(async () => {
        missed.unshift(await stage.endCall());
      });
    await stage.endCall({ sessionId: "listed-0" });
    const after = await stage.endCall();
    await until(async () => (await sessionsIn(page))[0] === after);
    const shown = await sessionsIn(page);
    expect(shown.slice(0, 4)).toEqual([after, ...missed, before]);
    expect(new Set(shown).size).toBe(shown.length);
    await seeText(page, "5 ended since, live");
    await page.close();
  });

  it("goes on behind the last call after an answer that ends the browser's own reconnects", async () => {
    const page = await openAs(stage, "web");
    const before = await stage.endCall();
    await until(async () => (await sessionsIn(page))[0] === before);
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    await page.route("**/graphql?*", (route) => route.fulfill({ status: 503 }).then(resolve));
    stage.proxy.cutAll();
    await refused;
    const missed = await stage.endCall();
    await page.unroute("**/graphql?*");
    await until(async () => (await sessionsIn(page))[0] === missed);
    expect((await sessionsIn(page)).slice(0, 2)).toEqual([missed, before]);
    await seeText(page, "2 ended since, live");
    await page.close();
  });

  it("shows what it got beside the error of what failed", async () => {
    const page = await openAs(stage, "web");
    await stage.endCall({ taskId: 7 });
    stage.sandbox.control.addFault({ match: { path: "/openapi/tasks/" }, kind: "status", status: 500 });
    await page.getByRole("button", { name: "Reload" }).click();
    await see(page, page.locator(alert("UPSTREAM_UNAVAILABLE")));
    expect((await sessionsIn(page)).length).toBe(10);
    await page.close();
  });

  it("creates a task once, though the page is reloaded before the answer, and follows its status", async () => {
    const page = await openAs(stage, "web");
    const tasks = () => stage.sandbox.control.requests().filter(({ method }) => method === "POST");
    const { lost } = await loseAnswer(page, "createTask");
    await createTaskInPage(page);
    await lost;
    await page.reload();
    await seeText(page, "The task is ACCEPTED");
    const taskId = newestTask(stage.sandbox);
    await stage.endCall({ taskId });
    await seeText(page, `The task is RESOLVED, its ID is ${taskId}`);
    expect(tasks().length).toBe(1);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.close();
  });

  it("shows why a task was not created, and keeps what was filled in", async () => {
    const page = await openAs(stage, "web");
    await createTaskInPage(page, { number: "x".repeat(65) });
    await seeText(page, "numbers.0.number");
    expect(await page.getByLabel("Name").inputValue()).toBe("Reminders");
    await page.close();
  });

  it("keeps two calls without a session id apart", async () => {
    const omit = ["sessionId"];
    stage.sandbox.control.seed({ calls: [1, 2].map((at) => ({ omit, startAt: Date.now() + at * 1000 })) });
    const page = await openAs(stage, "web");
    await until(async () => (await sessionsIn(page)).length === 10);
    expect((await sessionsIn(page)).slice(0, 2)).toEqual(["", ""]);
    await page.close();
  });

  it("throws nothing, and keeps to a strict content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
