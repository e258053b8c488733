// What each example app with a page does, as its user sees it. The apps differ in their client, and share their page.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newestTask } from "../../e2e/submitting.ts";
import { hasChromium } from "../../support/browserPage.ts";
import { keyOf } from "../../support/keys.ts";
import { until } from "../../support/until.ts";
import { createTaskInPage, listedCalls, openAs, see, seeText, sessionsIn, loseAnswer, useKey } from "./pageSteps.ts";
import { startStage, type Stage } from "./stage.ts";
import { viteBuild } from "./viteBuild.ts";

const LISTED = 25;

/** `example`: the name of its folder. */
export function describeApp(example: string): void {
  describe.skipIf(!hasChromium)(`The app examples/${example}`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await startStage(viteBuild(example));
      const now = Date.now();
      stage.sandbox.control.seed({ calls: listedCalls(LISTED, now), tasks: [{ id: 7, name: "Survey" }] });
    });
    afterEach(() => stage.sandbox.control.clearFaults());
    afterAll(() => stage[Symbol.asyncDispose]());

    it("refuses a wrong key, works with a right one, and says what a key may not see", async () => {
      const page = await stage.open();
      await useKey(page, "wrong");
      await seeText(page, "The key is wrong");
      await useKey(page, keyOf("clerk"));
      await seeText(page, "Your key does not allow this");
      await useKey(page, keyOf("reader"));
      await seeText(page, "Signed in as reader");
      await until(async () => (await sessionsIn(page)).length === 10);
      expect(await page.locator("[role=alert]").count()).toBe(0);
      expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 1, ""]);
      await page.close();
    });

    it("lists the calls page by page, each once, with the service's total", async () => {
      const page = await openAs(stage, "web");
      await seeText(page, `10 of ${LISTED} calls`);
      await page.getByRole("button", { name: "Load more" }).click();
      await seeText(page, `20 of ${LISTED} calls`);
      await page.getByRole("button", { name: "Load more" }).click();
      await seeText(page, `${LISTED} of ${LISTED} calls`);
      expect(await page.getByRole("button", { name: "Load more" }).count()).toBe(0);
      expect(await sessionsIn(page)).toEqual(listedCalls(LISTED, 0).map(({ sessionId }) => sessionId));
      await page.close();
    });

    it("shows each call that ends once, also those of a restart and those that ended behind the next page", async () => {
      const page = await openAs(stage, "web");
      const before = await stage.endCall();
      await until(async () => (await sessionsIn(page))[0] === before);
      await page.getByRole("button", { name: "Load more" }).click();
      await seeText(page, `20 of ${LISTED + 1} calls that the service lists today. 1 ended since, live`);
      // Three calls that the page does not list yet, and one that it does.
      const missed: string[] = [];
      await stage.restart(async () => {
        for (let count = 0; count < 3; count += 1) missed.push(await stage.endCall());
        missed.push(await stage.endCall({ sessionId: "listed-0" }));
      });
      await until(async () => (await sessionsIn(page)).includes(missed[2] ?? ""));
      const after = await stage.endCall();
      await until(async () => (await sessionsIn(page))[0] === after);
      const shown = await sessionsIn(page);
      expect(shown.slice(0, 5)).toEqual([after, missed[2], missed[1], missed[0], before]);
      expect(new Set(shown).size).toBe(shown.length);
      await seeText(page, "6 ended since, live");
      await page.getByRole("button", { name: "Reload" }).click();
      await seeText(page, "0 ended since, live");
      expect((await sessionsIn(page))[0]).toBe(after);
      await page.close();
    });

    it("keeps its one subscription when it loads a further page", async () => {
      const page = await stage.open();
      const subscribed: string[] = [];
      page.on("websocket", (socket) =>
        socket.on("framesent", ({ payload }) => {
          if (/"type":"subscribe".*callEnded/s.test(String(payload))) subscribed.push(String(payload));
        }),
      );
      await useKey(page, keyOf("web"));
      await seeText(page, "0 ended since, live");
      await stage.endCall();
      await seeText(page, "1 ended since, live");
      await page.getByRole("button", { name: "Load more" }).click();
      await seeText(page, "20 of");
      await stage.endCall();
      await seeText(page, "2 ended since, live");
      expect(subscribed.length).toBe(1);
      await page.close();
    });

    it("shows what it got beside the error of what failed", async () => {
      const page = await openAs(stage, "web");
      await stage.endCall({ taskId: 7 });
      stage.sandbox.control.addFault({ match: { path: "/openapi/tasks/" }, kind: "status", status: 500 });
      await page.getByRole("button", { name: "Reload" }).click();
      await see(page, page.locator("[data-code=UPSTREAM_UNAVAILABLE]"));
      expect((await sessionsIn(page)).length).toBe(10);
      await page.close();
    });

    it("creates a task once, though the page is reloaded before the answer, and follows its status", async () => {
      const page = await openAs(stage, "web");
      const tasks = () => stage.sandbox.control.requests().filter(({ method }) => method === "POST");
      const { lost } = await loseAnswer(page, "createTask");
      await createTaskInPage(page);
      await lost;
      await seeText(page, "no answer came yet");
      await page.reload();
      await seeText(page, "The task is ACCEPTED");
      expect(tasks().length).toBe(1);
      const taskId = newestTask(stage.sandbox);
      await stage.endCall({ taskId });
      await seeText(page, `The task is RESOLVED, its ID is ${taskId}`);
      expect(tasks().length).toBe(1);
      expect(await page.evaluate("Object.keys(sessionStorage)")).toEqual(["gateway-key"]);
      await page.close();
    });

    it("shows why a task was not created, and keeps what was filled in", async () => {
      const page = await openAs(stage, "web");
      await createTaskInPage(page, { number: "x".repeat(65) });
      await see(page, page.locator("[data-code=INVALID_INPUT]"));
      expect(await page.getByLabel("Name").inputValue()).toBe("Reminders");
      await page.close();
    });

    it("keeps two versions of an assistant apart, and two calls without a session id", async () => {
      const versions = [301, 302].map((vid) => ({ assistant: [{ id: 11, vid }] }));
      const tasks = versions.map(({ assistant: [used] }) => ({ assistantId: 11, assistantVid: used?.vid ?? 0 }));
      const { taskIds } = stage.sandbox.control.seed({ tasks });
      const calls = versions.map((call, at) => ({
        ...call,
        taskId: taskIds[at] ?? 0,
        startAt: Date.now() + at * 1000,
      }));
      stage.sandbox.control.seed({ calls: calls.map((call) => ({ ...call, omit: ["sessionId"] })) });
      const page = await openAs(stage, "web");
      const first = page.locator("tbody tr");
      await first.nth(9).waitFor();
      expect(await texts(first, 2)).toEqual([expect.stringContaining("302"), expect.stringContaining("301")]);
      await page.close();
    });

    it("throws nothing, and keeps to a strict content security policy", () => {
      expect(stage.faults).toEqual([]);
    });
  });
}

async function texts(rows: ReturnType<Page["locator"]>, count: number): Promise<string[]> {
  return (await rows.allTextContents()).slice(0, count);
}
