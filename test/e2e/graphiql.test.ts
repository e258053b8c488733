// GraphiQL in a real browser. Without a browser on this machine only the page itself is checked.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import type { Environment } from "../support/program.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { until } from "../support/until.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.control("POST", "seed", { tasks: [{ id: 7 }] });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

it("GraphiQL subscribes by POST, because GET would put variables into URLs and is refused", async () => {
  await using gateway = await startGateway(sandbox);
  const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } });
  // Without the page itself, which has nine megabytes.
  expect(/"method":\s*"POST"/.test(await page.text())).toBe(true);
});

describe.skipIf(!hasChromium)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  async function open(env: Environment = {}, headers: Environment = {}) {
    await using parts = new AsyncDisposableStack();
    const gateway = parts.use(await startGateway(sandbox, env));
    const context = await browser.newContext();
    parts.defer(() => context.close());
    const page = await context.newPage();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(gateway.url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
    });
    await page.goto(`${gateway.url}/graphql`);
    if (Object.keys(headers).length > 0) await writeHeaders(page, headers);
    const ended = parts.move();
    return { gateway, page, elsewhere, [Symbol.asyncDispose]: () => ended.disposeAsync() };
  }

  async function writeHeaders(page: Page, headers: Environment): Promise<void> {
    await page.getByText("Headers", { exact: true }).click();
    await page.locator(".graphiql-editor-tool .graphiql-editor:not(.hidden)").click();
    await page.keyboard.insertText(JSON.stringify(headers));
  }

  async function run(page: Page, operation: string): Promise<void> {
    await page.locator(".graphiql-execute-button").click();
    await page.getByRole("menuitem", { name: operation }).click();
  }

  const shown = (page: Page) => page.locator(".result-window").textContent();

  /** Ends calls until one is shown, because the first may end before the page listens. */
  async function showsCalls(gateway: TestGateway, page: Page): Promise<void> {
    let ended = 0;
    await until(async () => {
      ended += 1;
      await gateway.deliver(callEndedEvent({ session_id: `ended-${ended}`, task_id: 7 }));
      return (await shown(page))?.includes(`"ended-${ended}"`) === true;
    });
  }

  // A page of nine megabytes takes seconds, so that what it shows without keys is checked in one.
  it("shows its first result and each ended call, no field for a key, and sends no request to other hosts", async () => {
    await using opened = await open();
    const { gateway, page, elsewhere } = opened;
    await page.locator(".graphiql-execute-button").waitFor();
    expect(await page.getByLabel("API key or token").count()).toBe(0);
    await run(page, "Today");
    await until(async () => (await shown(page))?.includes("totalCount"));
    await run(page, "Live");
    await showsCalls(gateway, page);
    expect(elsewhere).toEqual([]);
  });

  it("works with an API key in its headers", async () => {
    await using directory = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
    await using opened = await open({ API_KEYS_FILE }, { authorization: bearer("web") });
    const { gateway, page } = opened;
    await run(page, "Today");
    await until(async () => (await shown(page))?.includes("totalCount"));
    await run(page, "Live");
    await showsCalls(gateway, page);
    expect(await shown(page)).not.toContain("UNAUTHENTICATED");
  });

  it("asks for a key, sends it with each request, and keeps it for this tab only", async () => {
    await using directory = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
    await using opened = await open({ API_KEYS_FILE });
    const { gateway, page, elsewhere } = opened;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    const key = bearer("web").replace("Bearer ", "");
    const field = page.getByLabel("API key or token");

    // The page asks for the graph first, and shows why it does not get it. A narrow editor cuts the code.
    await until(async () => (await shown(page))?.includes("UNAUTHENTICA"));
    await field.fill(key);
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByText("kept in this tab only").waitFor();
    await run(page, "Today");
    await until(async () => (await shown(page))?.includes("totalCount"));
    await run(page, "Live");
    await showsCalls(gateway, page);

    await page.reload();
    expect(await field.inputValue()).toBe(key);
    const statusAgain = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByLabel("Re-fetch GraphQL schema").click();
    expect((await statusAgain).status()).toBe(200);

    expect(addresses.filter((address) => address.includes(key))).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
    const secondTab = await page.context().newPage();
    await secondTab.goto(page.url());
    expect(await secondTab.getByLabel("API key or token").inputValue()).toBe("");
    await secondTab.close();

    await page.getByRole("button", { name: "Forget" }).click();
    await page.getByText("needed for every request").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it("keeps nothing that is typed beyond the tab, and no header beyond the page (A87)", async () => {
    await using opened = await open({}, { authorization: "Bearer typed-key" });
    const { page } = opened;
    // As an earlier version of this page kept it.
    await page.evaluate(() => Object.assign(localStorage, { "graphiql:headers": "typed-key" }));
    await page.getByText("Variables", { exact: true }).click();
    await page.locator(".graphiql-editor-tool .graphiql-editor:not(.hidden)").click();
    await page.keyboard.insertText('{ "number": "+8613800010001" }');
    await page.locator(".graphiql-query-editor").click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText("# call +8613800010002");
    const ofTab = () => page.evaluate(() => JSON.stringify(sessionStorage));
    await until(async () => /8613800010001[^]*8613800010002/.test(await ofTab()));
    expect(await ofTab()).not.toContain("typed-key");
    expect(page.url()).not.toMatch(/query|8613800010002/);

    const tab = await page.context().newPage();
    await tab.goto(page.url());
    await tab.locator(".graphiql-execute-button").waitFor();
    const asked = tab.waitForRequest((request) => request.method() === "POST");
    await run(tab, "Today");
    expect((await asked).headers()["authorization"]).toBeUndefined();
    await until(async () => (await shown(tab))?.includes("totalCount"));
    expect(await tab.locator(".graphiql-query-editor").textContent()).not.toContain("8613800010002");
    expect(await tab.evaluate(() => JSON.stringify(localStorage))).toBe("{}");

    await page.reload();
    await until(async () => (await page.locator(".graphiql-query-editor").textContent())?.includes("8613800010002"));
    const askedAgain = page.waitForRequest((request) => request.method() === "POST");
    await page.getByLabel("Re-fetch GraphQL schema").click();
    expect((await askedAgain).headers()["authorization"]).toBeUndefined();
  });
});
