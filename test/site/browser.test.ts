// The documentation in Chromium, as a gateway serves it: accessible, searched by keyboard, and readable without scripts.
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFaults } from "../console/findFaults.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { NO_SERVICE, startGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { ensureBuilt, filesOf } from "./builtSite.ts";

/** Pages of the repository, one for each language: a page of each file takes a minute more, and the same code renders them. */
const OF_THE_REPOSITORY = [
  "index.html",
  "CONTRIBUTING.html",
  "examples/react-urql/src/NewTask.tsx.html",
  "examples/react-urql/codegen.yml.html",
  "examples/react-relay/relay.config.json.html",
  "examples/vanilla/index.html.html",
].map((name) => `repository/${name}`);
const PARTS = 4;

const checkedPages = () => [
  ...filesOf(".html").filter((name) => !name.startsWith("repository/")),
  ...OF_THE_REPOSITORY,
];

describe.skipIf(!hasChromium)("The documentation in a browser", () => {
  let parts: AsyncDisposableStack;
  let gateway: TestGateway;
  let open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
  const refused: string[] = [];
  beforeAll(async () => {
    parts = new AsyncDisposableStack();
    await ensureBuilt();
    gateway = parts.use(await startGateway(NO_SERVICE, { DOCS: "on" }));
    const browser = await launchChromium();
    parts.defer(() => browser.close());
    open = async (path, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      page.on("console", (message) => refused.push(message.text()));
      page.on("pageerror", (error) => refused.push(String(error)));
      page.on("requestfailed", (request) => {
        // A page that is left ends its requests, such as that of its icon.
        if (request.failure()?.errorText !== "net::ERR_ABORTED") refused.push(request.url());
      });
      await page.goto(`${gateway.url}/docs/${path}`);
      return page;
    };
  });
  afterAll(() => parts.disposeAsync());

  it.each(Array.from({ length: PARTS }, (_, at) => at + 1))(
    "has no fault of accessibility, and nothing that the policy refuses: part %i of its pages",
    async (part) => {
      const page = await open("");
      const faults: string[] = [];
      for (const name of checkedPages().filter((_, at) => at % PARTS === part - 1)) {
        await page.goto(`${gateway.url}/docs/${name}`);
        faults.push(...(await findFaults(page)).map((fault) => `${name}: ${fault}`));
      }
      expect(faults).toEqual([]);
      expect(refused).toEqual([]);
      await page.context().close();
    },
  );

  it.each([
    ["in the dark", { colorScheme: "dark" }],
    ["on a narrow screen", { viewport: { width: 390, height: 800 } }],
  ] as const)("has no fault of accessibility %s, also with what the search found", async (_, options) => {
    for (const name of ["queries.html", "live-events.html", "reference/errors.html", "repository/index.html"]) {
      const page = await open(name, options);
      await page.getByRole("combobox").fill("cursor");
      await page.getByRole("option").first().waitFor();
      expect([name, await findFaults(page)]).toEqual([name, []]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.context().close();
    }
    expect(refused).toEqual([]);
  });

  it("goes to the explanation of an error by keyboard alone, from a page in a folder", async () => {
    const page = await open("frontends/index.html");
    await page.keyboard.press("/");
    await page.keyboard.insertText("The cursor is ahead of this log. Was the database restored from a backup?");
    await page.getByRole("option", { selected: true }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${gateway.url}/docs/reference/errors.html#cursor_invalid`);
    expect(await page.locator("h1").textContent()).toBe("Errors and their messages");
  });

  it("empties the search by Escape, and says that it found nothing", async () => {
    const page = await open("queries.html");
    const input = page.getByRole("combobox");
    await input.fill("qqzzxxyyw");
    await page.getByText("Nothing found.").waitFor();
    await input.fill("UPSTREAM_TIMEOUT_MS");
    await page.getByRole("option").first().waitFor();
    expect(await page.getByRole("option").first().textContent()).toContain("UPSTREAM_TIMEOUT_MS");
    await page.keyboard.press("Escape");
    await until(async () => (await page.getByRole("option").count()) === 0);
    expect(await input.inputValue()).toBe("");
  });

  it("copies a block of code", async () => {
    const page = await open("getting-started.html", { permissions: ["clipboard-read", "clipboard-write"] });
    const block = page.locator(".code").first();
    await block.hover();
    await block.getByRole("button", { name: "Copy" }).click();
    const code = (await block.locator("code").textContent())?.trimEnd();
    // The button says so for two seconds, which may pass unseen on a busy machine.
    await until(async () => (await page.evaluate<string>("navigator.clipboard.readText()")) === code);
    expect(code).not.toBe("");
  });

  it("takes the console's theme of the same browser", async () => {
    const page = await open("index.html");
    await page.evaluate(`localStorage.setItem("switchboard-console", '{"theme":"dark"}')`);
    await page.reload();
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(16, 16, 19)");
  });

  it("can be read and walked through without scripts, without the search", async () => {
    const page = await open("queries.html", { javaScriptEnabled: false });
    expect(await page.getByRole("combobox").count()).toBe(0);
    await page.getByRole("link", { name: "Live events" }).last().click();
    await page.waitForURL(`${gateway.url}/docs/live-events.html`);
    await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Glossary" }).click();
    expect(await page.locator("h1").textContent()).toBe("Glossary");
  });
});
