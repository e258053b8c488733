// The test of the webhook's way in the console's Health view: the page's address stands for the proxy in front of the gateway.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/chromium.ts";
import { bearer } from "../support/keys.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

const part = (page: Page) => page.getByRole("region", { name: /^(The way of webhooks|Webhook 通路)$/ });

describe.skipIf(!hasChromium)("A test webhook of the console (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("goes from the browser through the proxy to the gateway, and leaves nothing in its log", async () => {
    const page = await stage.openSignedIn("admin", "/status");
    await part(page).getByRole("button", { name: "Send a test webhook" }).click();
    await part(page)
      .getByRole("status")
      .getByText(new RegExp(`^It came through ${stage.proxy.url}/calllog as it was sent, in \\d+ ms\\.$`))
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    const { data } = await stage.gateway.ask(
      "{ gateway { quarantined events { events } webhooks { lastAcceptedAt } } }",
      {},
      {
        authorization: bearer("admin"),
      },
    );
    expect(data?.["gateway"]).toEqual({ quarantined: 0, events: { events: 0 }, webhooks: { lastAcceptedAt: null } });
    await page.context().close();
  });

  it.each([
    ["loses the Authorization header", 401, "Let the proxy keep the header"],
    ["sends paths elsewhere", 404, "Let the proxy pass paths on unchanged."],
    ["takes small bodies only", 413, "Allow 256 KiB there"],
    ["finds no gateway", 502, "Something else than the gateway answered."],
  ])("says what to do where the proxy %s", async (_, status, advice) => {
    const page = await stage.openSignedIn("admin", "/status");
    await page.route("**/calllog", (route) => route.fulfill({ status, body: "" }));
    await part(page).getByRole("button", { name: "Send a test webhook" }).click();
    const alert = part(page).getByRole("alert");
    await alert.getByText(advice).waitFor();
    expect(await alert.textContent()).toMatch(new RegExp(`Status ${status}\\.$`));
    await page.context().close();
  });

  it("says that nothing answered, or that the address is redirected, and why no test was made", async () => {
    const page = await stage.openSignedIn("admin", "/status");
    const send = () => part(page).getByRole("button", { name: "Send a test webhook" }).click();
    await page.route("**/calllog", (route) => route.abort());
    await send();
    await part(page).getByRole("alert").getByText("Nothing answered.").waitFor();
    await page.unroute("**/calllog");
    await page.route("**/calllog", (route) => route.fulfill({ status: 307, headers: { location: "/elsewhere" } }));
    await send();
    await part(page).getByRole("alert").getByText("It was redirected").waitFor();
    await page.route("**/graphql", (route) =>
      route.request().postData()?.includes("ConsoleWebhookTest") ? route.abort() : route.fallback(),
    );
    await send();
    await part(page).getByRole("alert").getByText("No test was made.").waitFor();
    expect(await part(page).getByRole("alert").count()).toBe(1);
    await page.context().close();
  });

  it("has no fault of accessibility and fits in Chinese on 360 px, and is not shown without the scope admin", async () => {
    const page = await stage.openSignedIn("admin", "/status", {
      locale: "zh-CN",
      viewport: { width: 360, height: 800 },
      colorScheme: "dark",
    });
    await part(page).getByRole("button", { name: "发送测试 webhook" }).click();
    await part(page).getByRole("status").getByText("已原样通过").waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.context().close();
    const reader = await stage.openSignedIn("reader", "/status");
    await reader.getByText("are shown to keys with the scope admin").waitFor();
    expect(await part(reader).count()).toBe(0);
    await reader.context().close();
    expect(stage.faults).toEqual([]);
  });
});
