// A browser that keeps nothing for a page, because all site data are blocked: reading `sessionStorage` throws a SecurityError.
// https://developer.mozilla.org/docs/Web/API/Window/sessionStorage#exceptions, https://github.com/graphql/graphiql/issues/1058
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { keyOf } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { shownSessions, startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { confirm, creationsAt, fillForm, TEN_O_CLOCK } from "./taskForm.ts";

function refuseStorage(): void {
  const get = () => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get, configurable: true });
}

describe.skipIf(!hasChromium)("A browser that keeps nothing (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole(
      { now: () => Date.now() + TEN_O_CLOCK },
      { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North" },
    );
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  async function openRefusing(path: string): Promise<Page> {
    const page = await stage.open("/");
    await page.addInitScript(refuseStorage);
    await page.goto(`${stage.proxy.url}${path}`);
    return page;
  }

  it("signs in, shows calls, and asks for the key again after a reload", async () => {
    const session = await stage.endCall();
    const page = await openRefusing("/live");
    await page.getByLabel("API key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await untilShown(page, [session]);
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(stage.faults).toEqual([]);
    await page.context().close();
  });

  it("sends no task, because a reload could send it twice, and says so", async () => {
    const page = await openRefusing("/tasks");
    await page.getByLabel("API key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "New task" }).click();
    await fillForm(page, "Kept nowhere");
    await confirm(page);
    await page.getByText("Nothing was sent: allow session storage.").waitFor();
    expect(creationsAt(stage.sandbox)).toEqual([]);
    expect(stage.faults).toEqual([]);
    await page.context().close();
  });

  it("signs in where the storage of the tab is full", async () => {
    const session = await stage.endCall();
    const page = await stage.open("/");
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      };
    });
    await page.goto(`${stage.proxy.url}/live`);
    await page.getByLabel("API key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await until(async () => (await shownSessions(page)).includes(session));
    expect(stage.faults).toEqual([]);
    await page.context().close();
  });

  it("asks for the key in Explore, too, and sends queries with it", async () => {
    const page = await openRefusing("/explore");
    await page.getByLabel("API key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    const graphiql = page.frameLocator("iframe");
    await graphiql.getByLabel("API key or token").fill(keyOf("ops"));
    await graphiql.getByRole("button", { name: "Use" }).click();
    await graphiql.locator(".graphiql-execute-button").click();
    await graphiql.getByRole("menuitem", { name: "Today" }).click();
    const result = graphiql.locator(".result-window");
    await result.getByText("totalCount").waitFor();
    expect(await result.textContent()).toContain('"data"');
    await page.context().close();
  });

  it("lets GraphiQL send queries with a key", async () => {
    const page = await openRefusing("/graphql");
    await page.getByLabel("API key or token").fill(keyOf("ops"));
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByText("kept in this tab only").waitFor();
    await page.locator(".graphiql-execute-button").click();
    await page.getByRole("menuitem", { name: "Today" }).click();
    const result = page.locator(".result-window");
    await result.getByText("totalCount").waitFor();
    expect(await result.textContent()).toContain('"data"');
    await page.context().close();
  });
});
