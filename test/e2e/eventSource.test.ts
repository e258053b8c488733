// The native EventSource of a real browser, whose gateway restarts while webhooks arrive. Without a browser on this machine
// nothing is checked here.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUIET, startLoad } from "../durability/load.ts";
import { type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { freePort } from "../support/network/freePort.ts";
import type { Environment } from "../support/program.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { until } from "../support/until.ts";
import { serve } from "../server/serve.ts";

const RESTARTS = 10;
const WEBHOOKS_BETWEEN = 20;

/** A gateway that can be replaced by a new process on the same port and database. */
async function restartable(env: Environment) {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
  const PORT = String(await freePort());
  const all = { ...QUIET, PORT, DRAIN_SECONDS: "1", DATABASE_URL: directory.database, API_KEYS_FILE, ...env };
  let gateway = await startGateway(NO_SERVICE, all);
  parts.defer(() => gateway[Symbol.asyncDispose]());
  const owned = parts.move();
  return {
    url: gateway.url,
    gateway: (): TestGateway => gateway,
    async restart() {
      await gateway[Symbol.asyncDispose]();
      gateway = await startGateway(NO_SERVICE, all);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

// Together, because a browser waits for seconds before it connects again.
describe.skipIf(!hasChromium)("A native EventSource", { concurrent: true }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  /** Opens a session with the key, then the stream without it. */
  async function listen(page: Page, url: string, query: string): Promise<void> {
    await page.evaluate(
      async ({ url, query, authorization }) => {
        const opened = await fetch(`${url}/session`, {
          method: "POST",
          headers: { authorization },
          credentials: "include",
        });
        if (!opened.ok) throw new Error(await opened.text());
        const state = { sessionIds: [] as string[], others: [] as string[], opens: 0 };
        Object.assign(globalThis, { state });
        const source = new EventSource(`${url}/graphql?${new URLSearchParams({ query })}`, { withCredentials: true });
        source.addEventListener("open", () => (state.opens += 1));
        source.addEventListener("complete", () => state.others.push("complete"));
        source.addEventListener("next", ({ data }) => {
          const { data: result } = JSON.parse(data as string);
          const item = result?.callEnded ?? result?.callEndedStream;
          if (item?.sessionId) state.sessionIds.push(item.sessionId);
          else if (item?.__typename !== "StreamCheckpoint") state.others.push(data as string);
        });
      },
      { url, query, authorization: bearer("web") },
    );
    await until(async () => (await stateOf(page)).opens === 1);
  }
  const stateOf = (page: Page) =>
    page.evaluate(
      () => (globalThis as unknown as { state: { sessionIds: string[]; others: string[]; opens: number } }).state,
    );

  async function expectEveryEventOnce(
    page: Page,
    gateway: Awaited<ReturnType<typeof restartable>>,
    query: string,
    restarts: number,
  ) {
    await listen(page, gateway.url, query);
    const load = startLoad({ gateway: gateway.gateway, writers: 2 });
    for (let at = 0; at < restarts; at += 1) {
      await load.waitForMore(WEBHOOKS_BETWEEN);
      await gateway.restart();
      await until(async () => (await stateOf(page)).opens > at + 1);
    }
    await load.waitForMore(WEBHOOKS_BETWEEN);
    await load.stop();
    await until(async () => (await stateOf(page)).sessionIds.length >= load.acknowledged.length);
    const { sessionIds, others } = await stateOf(page);
    expect(sessionIds.toSorted()).toEqual(load.acknowledged.toSorted());
    expect(others).toEqual([]);
  }

  it("misses nothing and gets nothing twice over ten restarts, with the cookie of a session", async () => {
    await using gateway = await restartable({});
    const page = await browser.newPage();
    // A page of the gateway's own origin.
    await page.route(`${gateway.url}/page`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<html></html>" }),
    );
    await page.goto(`${gateway.url}/page`);
    await expectEveryEventOnce(page, gateway, "subscription { callEnded { sessionId } }", RESTARTS);
    await page.close();
  });

  it("does so from an allowed page of another site", async () => {
    await using site = await serve(
      (_, response) => void response.setHeader("content-type", "text/html").end("<html></html>"),
    );
    const app = site.url.replace("127.0.0.1", "localhost");
    await using gateway = await restartable({ CORS_ORIGINS: app });
    const page = await browser.newPage();
    await page.goto(app);
    const query = "subscription { callEndedStream { __typename ... on CallEnded { sessionId } } }";
    await expectEveryEventOnce(page, gateway, query, 2);
    await page.close();
  });

  it("is refused to a page of another site that is not allowed, which holds no session either", async () => {
    await using site = await serve(
      (_, response) => void response.setHeader("content-type", "text/html").end("<html></html>"),
    );
    await using gateway = await restartable({});
    const page = await browser.newPage();
    await page.goto(site.url.replace("127.0.0.1", "localhost"));
    const outcome = await page.evaluate(async (url) => {
      const opened = await fetch(`${url}/session`, {
        method: "POST",
        headers: { authorization: "Bearer key-of-web" },
        credentials: "include",
      }).then(
        () => "answered",
        () => "blocked",
      );
      const source = new EventSource(`${url}/graphql?query=subscription{callEnded{id}}`, { withCredentials: true });
      await new Promise((resolve) => source.addEventListener("error", resolve));
      return [opened, source.readyState === EventSource.CLOSED];
    }, gateway.url);
    expect(outcome).toEqual(["blocked", true]);
    await page.close();
  });
});
