// The console's sign-in in a real browser: with a key, without one, with the wrong one, and when a key is taken away.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { keyOf } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { startConsole, untilShown, VIEWERS, type ConsoleStage } from "./consoleStage.ts";

const DIST = fileURLToPath(new URL("../../console/dist", import.meta.url));

describe.skipIf(!hasChromium)("The console's sign-in (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  let session: string;
  beforeAll(async () => {
    stage = await startConsole();
    session = await stage.endCall();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("asks for a key, refuses a wrong one in words, and shows calls with a right one", async () => {
    const page = await stage.open();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Enter a key.").waitFor();
    await page.getByLabel("API key").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("The gateway does not accept this key.").waitFor();
    await page.getByLabel("API key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await untilShown(page, [session]);
    expect(new URL(page.url()).pathname).toBe("/live");
    await page.context().close();
  });

  it("keeps the key for this tab: not in an address, not in localStorage, not in a cookie", async () => {
    const page = await stage.open();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    page.on("websocket", (socket) => addresses.push(socket.url()));
    await page.locator("#key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await untilShown(page, [session]);
    await page.reload();
    await untilShown(page, [session]);
    expect(addresses.filter((address) => address.includes(keyOf("ops")))).toEqual([]);
    expect(addresses.some((address) => address.startsWith("ws:"))).toBe(true);
    expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).not.toContain(keyOf("ops"));
    const second = await page.context().newPage();
    await second.goto(stage.proxy.url);
    await second.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.context().close();
  });

  it("shows the name and the number of scopes, and forgets the key on sign-out", async () => {
    const page = await stage.openAs("ops");
    await page.getByText("ops", { exact: true }).waitFor();
    await page.getByText("4 scopes").click();
    await page
      .getByRole("listitem")
      .filter({ hasText: /^recordings:read$/ })
      .waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.context().close();
  });

  it("forgets at sign-out what was typed into GraphiQL (A87)", async () => {
    const page = await stage.openSignedIn("reader", "/explore");
    const frame = page.frameLocator("iframe");
    await frame.locator(".graphiql-query-editor").click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText("# call 8613800010001");
    await until(async () => (await page.evaluate(() => JSON.stringify(sessionStorage))).includes("8613800010001"));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator("#key").waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("8613800010001");
    await page.context().close();
  });

  it("offers nothing that the key may not see, and says which scopes it has", async () => {
    const page = await stage.open();
    await page.locator("#key").fill(keyOf("clerk"));
    await page.keyboard.press("Enter");
    await page.getByText("Your key does not allow this view.").waitFor();
    await page.getByText("It has: tasks:create. This view needs calls:read.").waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual([
      "Tasks",
      "Health",
      "Explore",
    ]);
    await page.context().close();
  });

  it("goes back to the sign-in with a clear word when the key is taken away", async () => {
    const page = await stage.openAs("reader");
    await untilShown(page, [session]);
    const { reader: _, ...others } = VIEWERS;
    await stage.setViewers(others);
    await page.getByText("Your key is no longer valid.").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect(await page.locator("[data-key]").count()).toBe(0);
    await stage.setViewers(VIEWERS);
    await page.context().close();
  });

  it("loads less than 220 kB of script, compressed by gzip, for the first view", async () => {
    const page = await stage.open();
    // What follows in the browser's idle time is not part of the first view.
    await page.addInitScript("requestIdleCallback = () => 0");
    await page.reload();
    const scripts = new Set<string>();
    page.on("request", (request) => void (request.resourceType() === "script" && scripts.add(request.url())));
    await page.locator("#key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await untilShown(page, [session]);
    await page.reload();
    await page.locator(".uplot canvas").first().waitFor();
    const sizes = [...scripts].map(
      (url) => gzipSync(readFileSync(join(DIST, new URL(url).pathname)), { level: 9 }).length,
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(220_000);
    await page.context().close();
  });

  it("says that the gateway does not answer, and goes on by itself when it does", async () => {
    const page = await stage.openAs("ops");
    await page.route("**/graphql", (route) => route.fulfill({ status: 400, body: "a proxy" }));
    await page.reload();
    await page.getByText("The gateway does not answer.").waitFor();
    await page.getByText(/Trying again in \d s\./).waitFor();
    await page.unroute("**/graphql");
    await untilShown(page, [session]);
    expect(await page.locator("#key").count()).toBe(0);
    await page.context().close();
  });

  it("throws nothing, and keeps to its content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
