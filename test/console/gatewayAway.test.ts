// What the console says and keeps in sight while its gateway cannot be reached.
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { startConsole, untilPartsLoaded, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { badge, expectAccessible, openView } from "./stateBadge.ts";

let stage: ConsoleStage;
let newest: string;
beforeAll(async () => {
  if (!hasChromium) return;
  stage = await startConsole();
  newest = await stage.endCall();
});
afterEach(() => {
  if (hasChromium) stage.proxy.isClosed = false;
});
afterAll(() => stage?.[Symbol.asyncDispose]());

const LOOKS: [string, BrowserContextOptions][] = [
  ["light", { reducedMotion: "reduce" }],
  [
    "dark, in Chinese and 360 px wide",
    { reducedMotion: "reduce", colorScheme: "dark", locale: "zh-CN", viewport: { width: 360, height: 740 } },
  ],
];

describe.skipIf(!hasChromium)("The state of the console (skipped where there is no Chromium)", () => {
  it.each(LOOKS)(
    "says that the gateway is not reachable, and as of when the rows are that stay: %s",
    async (_, look) => {
      const page = await stage.openAs("admin", "/live", look);
      await untilShown(page, [newest]);
      await untilPartsLoaded(page);
      stage.proxy.isClosed = true;
      stage.proxy.cutAll();
      const words = look.locale
        ? /^无法连接网关，显示 \d\d:\d\d:\d\d 的数据$/
        : /^Gateway not reachable, showing \d\d:\d\d:\d\d$/;
      await badge(page).getByText(words).first().waitFor();
      await untilShown(page, [newest]);
      await page.locator("[data-old] [data-key]").first().waitFor();
      await expectAccessible(page);
      await openView(page, look.locale ? "统计" : "Statistics");
      await badge(page).getByText(words).first().waitFor();
      await page.locator("[role=alert]").first().waitFor();
      expect(await page.getByText(/^(No calls|没有通话)/).count()).toBe(0);
      await expectAccessible(page);
      stage.proxy.isClosed = false;
      await badge(page)
        .getByText(look.locale ? "一切正常" : "All well")
        .first()
        .waitFor();
      await page.context().close();
    },
  );

  it("says that the gateway is not reachable in a view whose code could not be loaded, until it is", async () => {
    const page = await stage.openSignedIn("admin", "/live", { reducedMotion: "reduce" });
    // The code of other views is not loaded ahead, and what an earlier page has loaded is not kept.
    await page.addInitScript("requestIdleCallback = () => 0");
    await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
    await page.reload();
    await badge(page).getByText("All well").first().waitFor();
    stage.proxy.isClosed = true;
    stage.proxy.cutAll();
    await openView(page, "Statistics");
    await page.getByText(/^This part of the page could not be loaded/).waitFor();
    await page.getByRole("heading", { name: "Statistics", level: 1 }).waitFor();
    await badge(page)
      .getByText(/^Gateway not reachable, showing/)
      .first()
      .waitFor();
    await expectAccessible(page);
    stage.proxy.isClosed = false;
    await page.getByRole("search").waitFor();
    await badge(page).getByText("All well").first().waitFor();
    await page.context().close();
  });

  it.each([
    ["a proxy answers in its place", 502],
    ["it takes a request and never answers", null],
  ])("says that the gateway is not reachable where %s", async (_, status) => {
    const page = await stage.openSignedIn("admin", "/status", { reducedMotion: "reduce" });
    await badge(page).getByText("All well").first().waitFor();
    const body = "<html><body><h1>502 Bad Gateway</h1></body></html>";
    await page.route("**/graphql", (route) =>
      status === null ? undefined : route.fulfill({ status, contentType: "text/html", body }),
    );
    await badge(page)
      .getByText(/^Gateway not reachable, showing/)
      .first()
      .waitFor();
    expect(await page.getByText("The gateway answers").count()).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await badge(page).getByText("All well").first().waitFor();
    await page.context().close();
  });

  it("throws nothing, and asks only what its manifest has", () => {
    expect(stage.faults).toEqual([]);
  });
});
