// A browser with React, a sandbox without history and a gateway that lets the browser's pages in: for all tests of a file.
import { afterAll, beforeAll } from "vitest";
import { connectSandbox, emptySandbox } from "../../support/emptySandbox.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import type { Sandbox } from "../../../sandbox/src/sandbox.ts";
import { startReactBrowser, type ReactBrowser, type ReactPage } from "./browser.ts";

export { hasChromium as hasBrowser } from "../../support/chromium.ts";

export interface World {
  browser: ReactBrowser;
  sandbox: Sandbox;
  gateway: TestGateway;
  /** A page with a client of the gateway. */
  open(): Promise<ReactPage>;
}

/** Its parts exist once the tests run. */
export function createWorld(): World {
  const parts = new AsyncDisposableStack();
  const world = {} as World;
  beforeAll(async () => {
    world.browser = parts.use(await startReactBrowser());
    world.sandbox = parts.use(await emptySandbox());
    world.gateway = parts.use(await startGateway(world.sandbox, { CORS_ORIGINS: world.browser.origin }));
    connectSandbox(world.sandbox, world.gateway);
    world.open = () => world.browser.open(world.gateway);
  });
  afterAll(() => parts.disposeAsync());
  return world;
}
