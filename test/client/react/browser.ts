// Opens the test's page in a real browser: bundled by Vite with React's development build, and served from a port of its own.
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchChromium } from "../../support/chromium.ts";
import { build } from "vite";
import { startFakeService } from "../../support/fakeService.ts";
import type { TestPage } from "./page.ts";

const SOURCES = fileURLToPath(new URL("../../../client/src/", import.meta.url));
const ENTRY = fileURLToPath(new URL("page.ts", import.meta.url));

export interface ReactPage extends AsyncDisposable {
  browser: Page;
  /** The WebSockets that are open now. */
  sockets(): number;
  /** Everything that the console wrote as an error. */
  problems: string[];
  run<K extends keyof TestPage>(method: K, ...args: Parameters<TestPage[K]>): Promise<Awaited<ReturnType<TestPage[K]>>>;
}

export interface ReactBrowser extends AsyncDisposable {
  /** Where the pages come from: a gateway must allow this origin. */
  origin: string;
  open(gateway: { url: string }): Promise<ReactPage>;
}

/** A module and all it imports, as one text, with the sources of switchboard-client. */
export async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    resolve: {
      alias: [
        { find: /^switchboard-client$/, replacement: join(SOURCES, "index.ts") },
        { find: /^switchboard-client\/(\w+)$/, replacement: join(SOURCES, "$1/index.ts") },
      ],
    },
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "page" } },
  });
  const [output] = [result].flat();
  if (output === undefined || !("output" in output)) throw new Error("Vite made no bundle.");
  return output.output[0].code;
}

export async function startReactBrowser(): Promise<ReactBrowser> {
  await using parts = new AsyncDisposableStack();
  const code = await bundle(ENTRY);
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? code : '<!doctype html><body><script type="module" src="/page.js"></script></body>');
  });
  const { url: origin } = parts.use(await startFakeService(server));
  const browser = await launchChromium();
  parts.defer(() => browser.close());

  async function open(gateway: { url: string }): Promise<ReactPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    let sockets = 0;
    const problems: string[] = [];
    page.on("websocket", (socket) => {
      sockets += 1;
      socket.on("close", () => (sockets -= 1));
    });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`${origin}/?gateway=${encodeURIComponent(`${gateway.url}/graphql`)}`);
    await page.waitForFunction(() => "page" in globalThis);
    return {
      browser: page,
      sockets: () => sockets,
      problems,
      run: (method, ...args) =>
        page.evaluate(
          ([method, args]) => {
            const { page } = globalThis as unknown as { page: Record<string, (...args: unknown[]) => unknown> };
            return page[method]?.(...args);
          },
          [method, args] as const,
        ) as never,
      [Symbol.asyncDispose]: () => context.close(),
    };
  }
  const running = parts.move();
  return { origin, open, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
