// Stock clients in a real browser, set up as their documentation says: queries by GET, and recordings that a page draws.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { allowing, mortalSandbox, settled } from "../recordings/world.ts";
import { hasChromium, servePage, type BrowserPages } from "../support/browserPage.ts";
import { connectSandbox } from "../support/emptySandbox.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import type { StockClients } from "./stockClients.ts";

const TRACING = {
  baggage: "a=b",
  "sentry-trace": "1-2-1",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  tracestate: "vendor=1",
};

describe.skipIf(!hasChromium)("In a browser", () => {
  let sandbox: Sandbox;
  let pages: BrowserPages;
  let gateway: TestGateway;
  beforeAll(async () => {
    pages = await servePage(fileURLToPath(new URL("stockClients.ts", import.meta.url)));
    sandbox = await mortalSandbox();
    gateway = await startGateway(sandbox, { ...allowing(sandbox), CORS_ORIGINS: pages.origin });
    connectSandbox(sandbox, gateway);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  /** Calls a function of the page of this origin. */
  async function call<Name extends keyof StockClients>(
    origin: string,
    name: Name,
    ...args: Parameters<StockClients[Name]>
  ) {
    const page = await pages.open(origin);
    const methods = new Set<string>();
    page.on("request", (request) => request.url().includes("/graphql") && methods.add(request.method()));
    const result = await page.evaluate(
      ({ name: called, args: given }) => {
        const { clients } = globalThis as unknown as { clients: Record<string, (...all: unknown[]) => unknown> };
        return clients[called]?.(...given);
      },
      { name, args },
    );
    await page.close();
    expect([...methods].filter((method) => !["GET", "OPTIONS"].includes(method))).toEqual([]);
    return result as Awaited<ReturnType<StockClients[Name]>>;
  }

  it.each(["urql", "apollo"] as const)("%s asks by GET from the own origin and from an allowed one", async (client) => {
    const zone = { serviceTimeZone: "Asia/Shanghai" };
    expect(await call(gateway.url, client, gateway.url, {})).toMatchObject(zone);
    expect(await call(pages.origin, client, gateway.url, {})).toMatchObject(zone);
  });

  it.each(["urql", "apollo"] as const)("%s may send a tracer's headers from an allowed origin", async (client) => {
    expect(await call(pages.origin, client, gateway.url, TRACING)).toMatchObject({
      serviceTimeZone: expect.any(String),
    });
  });

  it.each(["urql", "apollo"] as const)("%s gets no answer on a page of another origin", async (client) => {
    expect(await call("http://other.example", client, gateway.url, {})).toMatch(/Failed to fetch/);
  });

  it("a page of an allowed origin reads a recording in ranges, decodes it and plays it", async () => {
    const { sessionId } = sandbox.control.endCall();
    const { url, bytes } = await settled(gateway, sessionId, "ARCHIVED");
    const { part, range, seconds, played } = await call(
      pages.origin,
      "recording",
      new URL(url ?? "", gateway.url).href,
    );
    expect([part, range]).toEqual([100, `bytes 0-99/${bytes}`]);
    expect(seconds).toBeGreaterThan(0);
    expect(played).toBeCloseTo(seconds, 1);
  });
});
