// What the console says of the gateway itself: that nobody is phoned beside the sandbox, and where the documentation is.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { en } from "../../console/src/texts/en.ts";
import { zh } from "../../console/src/texts/zh.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, temporaryDirectory } from "../support/gateway.ts";
import { freePort } from "../support/network/freePort.ts";
import { startForPeople } from "../support/startedForPeople.ts";
import { buildConsole, startConsole } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

describe.skipIf(!hasChromium)("The console of a gateway with its sandbox (skipped where there is no Chromium)", () => {
  const parts = new AsyncDisposableStack();
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    const directory = parts.use(await temporaryDirectory());
    await buildConsole();
    ({ url } = parts.use(await startForPeople(directory.path, { DOCS: "on" })));
    browser = await launchChromium();
    parts.defer(() => browser.close());
  });
  afterAll(() => parts.disposeAsync());

  const open = async (options: BrowserContextOptions) => {
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("[data-key]").first().waitFor();
    return page;
  };

  it.each([
    ["in a wide window", en, { viewport: { width: 1280, height: 900 } }],
    ["in a window of 360 px", en, { viewport: { width: 360, height: 740 } }],
    [
      "in a window of 360 px, dark and in Chinese",
      zh,
      {
        viewport: { width: 360, height: 740 },
        colorScheme: "dark",
        locale: "zh-CN",
      },
    ],
  ] as const)("says in Live that nobody is phoned: %s", async (_, texts, options) => {
    const page = await open(options);
    expect(await page.getByText(texts.live.sandbox).isVisible()).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(options.viewport.width);
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["at the foot of the rail", en, { viewport: { width: 1280, height: 900 } }],
    [
      "in the settings of a window of 360 px, in Chinese",
      zh,
      { viewport: { width: 360, height: 740 }, locale: "zh-CN" },
    ],
  ] as const)("links to the documentation that it serves: %s", async (_, texts, options) => {
    const page = await open(options);
    if (options.viewport.width < 1024) await page.getByRole("button", { name: texts.frame.settings }).click();
    const link = page.getByRole("link", { name: texts.frame.docs });
    expect(await link.getAttribute("href")).toBe("/docs/");
    expect(await findFaults(page)).toEqual([]);
    const [docs] = await Promise.all([page.waitForEvent("popup"), link.click()]);
    expect(new URL(docs.url()).pathname).toBe("/docs/");
    await page.context().close();
  });
});

it.skipIf(!hasChromium)(
  "An open page of the console stops saying that nobody is phoned when a gateway with a service takes the place of one with a sandbox (skipped where there is no Chromium)",
  async () => {
    await using parts = new AsyncDisposableStack();
    const directory = parts.use(await temporaryDirectory());
    const service = parts.use(await emptySandbox());
    await buildConsole();
    const PORT = String(await freePort());
    const beside = parts.use(await startForPeople(directory.path, { PORT }));
    const browser = await launchChromium();
    parts.defer(() => browser.close());
    const page = await browser.newPage({ locale: "en-GB" });
    await page.goto(beside.url);
    await page.locator("[data-state=live]").waitFor();
    await page.getByText(en.live.sandbox).waitFor();
    beside.program.process.kill("SIGKILL");
    await beside.program.exited;
    await page.getByText(en.live.sandbox).waitFor({ state: "detached" });
    const readAgain = page.waitForResponse((response) => new URL(response.url()).pathname === "/" && response.ok());
    parts.use(
      await spawnGateway(service, { PORT, DATABASE_URL: `file:${join(directory.path, "data", "switchboard.db")}` }),
    );
    await page.locator("[data-state=live]").waitFor();
    await readAgain;
    expect(await page.getByText(en.live.sandbox).count()).toBe(0);
  },
);

it.skipIf(!hasChromium)(
  "The console of a gateway with a service and without DOCS=on speaks of no sandbox and links to no documentation (skipped where there is no Chromium)",
  async () => {
    await using stage = await startConsole();
    const page = await stage.openAs("ops");
    expect(await page.getByText(en.live.sandbox).count()).toBe(0);
    expect(await page.getByRole("link", { name: en.frame.docs }).count()).toBe(0);
  },
);
