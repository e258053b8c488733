// Bundles a TypeScript file with Vite and serves it in a page of an origin of its own, for a real browser.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { build } from "vite";
import { launchChromium } from "./chromium.ts";

export { hasChromium } from "./chromium.ts";

export interface BrowserPages extends AsyncDisposable {
  /** The origin that open() takes by default. */
  origin: string;
  /** The page that runs the file. With another `origin`, the browser takes the page as one of that origin. */
  open(origin?: string): Promise<Page>;
}

/** `entry`: the file's path. */
export async function servePage(entry: string): Promise<BrowserPages> {
  const script = await bundle(entry);
  const html = `<!doctype html><meta charset="utf-8"><title>Page</title><script type="module">${script}</script>`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const browser = await launchChromium();
  const ownOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: ownOrigin,
    async open(origin = ownOrigin) {
      const page = await browser.newPage();
      const address = `${origin}/page.html`;
      if (origin !== ownOrigin)
        await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: html }));
      await page.goto(address);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: { write: false, minify: false, modulePreload: false, rolldownOptions: { input: entry } },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((each) => ("output" in each ? each.output : []));
  const [code] = chunks.flatMap((chunk) => (chunk.type === "chunk" ? [chunk.code] : []));
  if (code === undefined) throw new Error(`Vite made no script of ${entry}.`);
  // A script in a page ends at this text.
  return code.replaceAll("</script", "<\\/script");
}
