import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TaskInput } from "../../client/src/index.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { taskInput } from "../e2e/submitting.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { endCalls } from "./clients.ts";
import type { LivePage } from "./livePage.ts";

type Live = typeof globalThis & { page: LivePage };

const stack = new AsyncDisposableStack();
let origin: string;
let context: BrowserContext;
let sandbox: Sandbox;
let gateway: TestGateway;

describe.runIf(hasChromium)("In Chromium, under a policy that allows only the page's own script", () => {
  beforeAll(async () => {
    origin = await servePage();
    sandbox = stack.use(await emptySandbox());
    gateway = stack.use(await startGateway(sandbox, { CORS_ORIGINS: origin }));
    const browser = await launchChromium();
    stack.defer(() => browser.close());
    context = await browser.newContext();
  });
  afterAll(() => stack.disposeAsync());

  it.each([
    ["WebSocket", ""],
    ["server-sent events", "&sse"],
  ])("calls arrive by %s, and a reload goes on behind the last one that was done", async (name, extra) => {
    await using tab = await openTab(extra);
    await tab.evaluate(() => (globalThis as Live).page.follow());
    await until(() => tab.evaluate(() => (globalThis as Live).page.state() === "live"));
    const ids = [1, 2, 3].map((number) => `${name}-${number}`);
    await endCalls(gateway, ids.slice(0, 2));
    await until(async () => (await seenIn(tab)).length === 2);
    await tab.reload();
    await endCalls(gateway, ids.slice(2));
    await tab.evaluate(() => (globalThis as Live).page.follow());
    await until(async () => (await seenIn(tab)).includes(ids[2] as string));
    expect(await seenIn(tab)).toEqual(ids.slice(2));
    expect(await tab.evaluate(() => (globalThis as Live).page.violations)).toEqual([]);
    await tab.evaluate(() => localStorage.clear());
  });

  it("a task is created once from two tabs at the same moment, and after reloads", async () => {
    const { idempotencyKey: _, ...input } = taskInput(sandbox) as unknown as TaskInput;
    await using left = await openTab();
    await using right = await openTab();
    const create = (tab: Page) => tab.evaluate((task) => (globalThis as Live).page.create(task), input);
    // A reload cuts the first request.
    await left.evaluate((task) => void (globalThis as Live).page.create(task), input);
    await left.reload();
    const results = await Promise.all([create(left), create(right)]);
    await right.reload();
    results.push(await create(right));
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(results.at(-1)?.replayed).toBe(true);
    const posts = sandbox.control
      .requests()
      .filter(({ method, path }) => method === "POST" && path === "/openapi/tasks");
    expect(posts).toHaveLength(1);
  });
});

const seenIn = (tab: Page) => tab.evaluate(() => (globalThis as Live).page.seen);

async function openTab(extra = ""): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`${origin}/?gateway=${encodeURIComponent(`${gateway.url}/graphql`)}${extra}`);
  return tab;
}

/** Returns the origin. */
async function servePage(): Promise<string> {
  const input = fileURLToPath(new URL("livePage.ts", import.meta.url));
  const built = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, modulePreload: false, rolldownOptions: { input } },
  })) as Rollup.RollupOutput;
  const script = built.output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  const policy = "default-src 'none'; script-src 'self'; connect-src http://127.0.0.1:* ws://127.0.0.1:*";
  const html = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';
  const server = createServer(({ url }, response) => {
    const isScript = url === "/page.js";
    response.setHeader("content-security-policy", policy);
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html").end(isScript ? script : html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
