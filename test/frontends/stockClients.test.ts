// What stock clients do beside browserClients.test.ts.
import { fileURLToPath } from "node:url";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, servePage, type BrowserPages } from "../support/browserPage.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { subscribeThroughCuts } from "../support/resume.ts";
import { until } from "../support/until.ts";
import { subscribeEventSource } from "./eventSource.ts";
import { stockRequests, type StockRequests } from "./stockRequests.ts";

const ENTRY = fileURLToPath(new URL("stockPage.ts", import.meta.url));
/** In the page. */
declare const stockPage: StockRequests;
const zone = { serviceTimeZone: "Asia/Shanghai" };

describe.skipIf(!hasChromium)("In Chromium, with its own defaults,", () => {
  let pages: BrowserPages;
  let gateway: TestGateway;
  beforeAll(async () => {
    pages = await servePage(ENTRY);
    gateway = await startGateway({ url: "http://127.0.0.1:9" }, { CORS_ORIGINS: pages.origin });
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
  });

  const origins = [
    ["the own origin", () => gateway.url],
    ["an allowed origin", () => pages.origin],
  ] as const;

  /** Opens the page, and keeps its requests to the graph. */
  async function open(origin: string) {
    const page = await pages.open(origin);
    const requests: Request[] = [];
    page.on("request", (request) => void (request.url().includes("/graphql") && requests.push(request)));
    return { page, requests, url: `${gateway.url}/graphql`, [Symbol.asyncDispose]: () => page.close() };
  }

  it.each(origins)("@apollo/client names itself in headers from %s", async (_, origin) => {
    await using opened = await open(origin());
    const ask = (url: string) => stockPage.apollo(url, { useGETForQueries: false });
    expect(await opened.page.evaluate(ask, opened.url)).toEqual(zone);
    const sent = opened.requests.find((request) => request.method() === "POST");
    expect(await sent?.allHeaders()).toMatchObject({ "apollographql-client-name": "dashboard" });
  });

  it.each(origins)("EventSource receives ended calls from %s", async (_, origin) => {
    await using opened = await open(origin());
    const query = "subscription { callEnded { sessionId } }";
    await opened.page.evaluate(([url = "", text = ""]) => stockPage.eventSource(url, text), [opened.url, query]);
    const event = callEndedEvent();
    expect((await gateway.deliver(event)).status).toBe(200);
    const received = await until(async () => onlyIfAny(await receivedBy(opened.page)));
    expect(received).toEqual([{ data: { callEnded: { sessionId: event.event_data["session_id"] } } }]);
  });

  it("EventSource receives each of 60 events once and in order, through 2 cuts and a restart", async () => {
    const env = { CORS_ORIGINS: pages.origin };
    const plan = { cuts: 2, restarts: 1, events: 60, seed: 4, env };
    const { stored, received, cuts } = await subscribeThroughCuts(subscribeEventSource(pages), plan);
    expect(stored).toHaveLength(plan.events);
    expect(received).toEqual(stored);
    expect(cuts.streams).toBeGreaterThanOrEqual(plan.cuts);
  });

  const receivedBy = (page: Page) => page.evaluate(() => stockPage.received);
  const onlyIfAny = (list: unknown[]) => (list.length > 0 ? list : null);
});

describe("With the origin of an allowed page, as a browser would send it,", () => {
  const ORIGIN = "https://app.example";
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ url: "http://127.0.0.1:9" }, { CORS_ORIGINS: ORIGIN });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  it.each(["urql", "@apollo/client"])("%s asks its queries by GET", async (client) => {
    const methods: (string | undefined)[] = [];
    const fetchAsPage: typeof fetch = (input, init) => {
      methods.push(init?.method);
      return fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), origin: ORIGIN } });
    };
    const url = `${gateway.url}/graphql`;
    const ask =
      client === "urql"
        ? stockRequests.urql(url, fetchAsPage)
        : stockRequests.apollo(url, { useGETForQueries: true, fetch: fetchAsPage });
    expect(await ask).toEqual(zone);
    expect(methods).toEqual(["GET"]);
  });
});
