import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrowserPages } from "../support/browserPage.ts";
import { hasChromium } from "../support/browserPage.ts";
import { subscribeThroughCuts, type Subscribe } from "../support/resume.ts";
import { serveClientPage, subscribeInBrowser, subscribeInNode } from "./subscriptions.ts";

const plan = { cuts: 30, restarts: 2, events: 500, seed: 2 };

async function expectResumed(subscribe: Subscribe, env: Record<string, string> = {}): Promise<void> {
  const { stored, received, cuts, endings } = await subscribeThroughCuts(subscribe, { ...plan, env });
  expect(stored).toHaveLength(plan.events);
  expect(received).toEqual(stored);
  expect(endings).toEqual(["SIGTERM", "SIGKILL"]);
  expect(cuts.streams).toBeGreaterThanOrEqual(plan.cuts);
}

const transports = ["WebSocket", "server-sent events"] as const;

// Together, because clients wait before they connect again.
describe.concurrent("switchboard-client, through 30 cuts and 2 restarts,", () => {
  it.each(transports)("receives each of 500 events once and in order in Node, over %s", (transport) =>
    expectResumed(subscribeInNode(transport)),
  );
});

describe.skipIf(!hasChromium)(
  "switchboard-client in Chromium, through 30 cuts and 2 restarts,",
  { concurrent: true },
  () => {
    let pages: BrowserPages;
    beforeAll(async () => {
      pages = await serveClientPage();
    });
    afterAll(() => pages[Symbol.asyncDispose]());

    it.each(transports)("receives each of 500 events once and in order over %s", (transport) =>
      expectResumed(subscribeInBrowser(pages, transport), { CORS_ORIGINS: pages.origin }),
    );
  },
);
