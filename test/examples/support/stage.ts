// Runs an example as a user has it: its built site, a real gateway, and a page in headless Chromium.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../../support/chromium.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import type { Environment } from "../../support/program.ts";
import { startGatewayBehindProxy, type GatewayBehindProxy } from "./gatewayBehindProxy.ts";
import { serveSite, type SiteServer, type SiteSources } from "./siteServer.ts";
import type { FillSite } from "./viteBuild.ts";

export interface Stage extends GatewayBehindProxy {
  /** A page of the site in a browser context of its own, so without what other pages have stored. */
  open(): Promise<Page>;
  /** Errors that pages threw, and what their content security policy refused. */
  faults: string[];
}

const OWN_FILES: SiteSources = { script: "'self'", style: "'self'" };

/** `env` is the gateway's. */
export async function startStage(fillSite: FillSite, env: Environment = {}, sources = OWN_FILES): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const folder = join(directory.path, "site");
  const site: SiteServer = parts.use(await serveSite(folder, () => gateway.proxy.url, sources));
  const gateway: GatewayBehindProxy = parts.use(await startGatewayBehindProxy({ CORS_ORIGINS: site.origin, ...env }));
  await fillSite(folder, gateway.proxy.url);
  const browser = await launchChromium();
  parts.defer(() => browser.close());
  const faults: string[] = [];
  const owned = parts.move();
  return {
    ...gateway,
    faults,
    async open() {
      const page = await browser.newPage();
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("console", (message) => void (/Content Security/i.test(message.text()) && faults.push(message.text())));
      // Back-off draws shorter waits.
      await page.addInitScript("{ const { random } = Math; Math.random = () => random() / 10; }");
      await page.goto(site.origin);
      return page;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
