// The built console as a user has it: a real gateway with keys behind a proxy that can cut connections, and headless Chromium.
import { readFileSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { fileURLToPath } from "node:url";
import type { Sandbox, SandboxOptions } from "../../sandbox/src/sandbox.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import type { GatewayOverrides } from "../../src/gateway/base.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { cuttingProxy, type CuttingProxy } from "../support/network/cuttingProxy.ts";
import { until } from "../support/until.ts";

const MANIFEST = fileURLToPath(new URL("../../console/dist/documents.json", import.meta.url));
const BUILD = fileURLToPath(new URL("../../console/build/buildConsole.js", import.meta.url));

/** The key of a viewer is `keyOf(name)`. */
export const VIEWERS = {
  ops: ["calls:read", "people:read", "recordings:read", "tasks:create"],
  planner: ["calls:read", "tasks:create"],
  reader: ["calls:read"],
  clerk: ["tasks:create"],
  proposer: ["calls:read", "tasks:propose"],
  approver: ["calls:read", "tasks:approve"],
  judge: ["tasks:approve"],
  editor: ["calls:read", "tasks:approve", "assistants:prompts"],
  both: ["calls:read", "tasks:propose", "tasks:approve"],
  admin: ["calls:read", "people:read", "recordings:read", "tasks:create", "admin"],
};

export type EndCall = Parameters<Sandbox["control"]["endCall"]>[0];

export interface ConsoleStage extends AsyncDisposable {
  sandbox: Sandbox;
  gateway: TestGateway;
  proxy: CuttingProxy;
  /** Errors that pages threw, what their content security policy refused, and operations that documents.json does not have. */
  faults: string[];
  /** Ends a call at the sandbox. Resolves with its session id when the gateway's log has it. */
  endCall(call?: EndCall): Promise<string>;
  /** Replaces the file of keys. */
  setViewers(viewers: Record<string, readonly string[]>): Promise<void>;
  /** A page in a context of its own, at a path of the console. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Signs in, in a page that asks for a key. */
  signIn(page: Page, viewer: string): Promise<void>;
  /** The same as `open`, signed in. */
  openSignedIn(viewer: string, path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same, signed in and live. */
  openAs(viewer: string, path?: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Builds the console where its sources are newer, as `npm start` does. */
export async function buildConsole(): Promise<void> {
  const build = startProgram([BUILD, "--if-needed"], {});
  if ((await build.exited) !== 0) throw new Error(`The console could not be built: ${build.stderr()}`);
}

/** `own`: options of the sandbox, such as its speed; `env` and `overrides`: of the gateway. */
export async function startConsole(
  own: Partial<SandboxOptions> = {},
  env: Environment = {},
  overrides: GatewayOverrides = {},
): Promise<ConsoleStage> {
  await using parts = new AsyncDisposableStack();
  await buildConsole();
  const directory = parts.use(await temporaryDirectory());
  const sandbox = parts.use(await emptySandbox(own));
  const API_KEYS_FILE = await writeKeys(directory.path, VIEWERS);
  const RECORDING_HOSTS = new URL(sandbox.url).host;
  const gateway = parts.use(
    await startGateway(
      sandbox,
      { DATABASE_URL: directory.database, API_KEYS_FILE, RECORDING_HOSTS, ...env },
      overrides,
    ),
  );
  connectSandbox(sandbox, gateway);
  const proxy = parts.use(await cuttingProxy(gateway.url));
  const browser = await launchChromium();
  parts.defer(() => browser.close());
  const owned = parts.move();
  const faults: string[] = [];

  const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as Record<string, string>;
  const trusted = new Set(Object.values(manifest));
  /** Notes a document that a page sent and that the console's manifest does not have. */
  function notTrusted(sent: string | null): void {
    if (!sent?.startsWith("{")) return;
    const message = JSON.parse(sent) as { query?: string; payload?: { query?: string } };
    const query = message.query ?? message.payload?.query;
    // Explore asks whether there is introspection.
    if (query !== undefined && !trusted.has(query) && !query.includes("__schema"))
      faults.push(`not in documents.json: ${query}`);
  }
  async function isLogged(sessionId: string): Promise<boolean> {
    const query = "query ($sessionId: ID!) { callEnded(sessionId: $sessionId) { id } }";
    const { data } = await gateway.ask(query, { sessionId }, { authorization: bearer("ops") });
    return data?.["callEnded"] != null;
  }
  async function open(path = "/", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => void (/Content Security/i.test(message.text()) && faults.push(message.text())));
    page.on("request", (request) => notTrusted(request.frame() === page.mainFrame() ? request.postData() : null));
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => notTrusted(String(payload))));
    // Back-off draws shorter waits.
    await page.addInitScript("{ const { random } = Math; Math.random = () => random() / 10; }");
    await page.goto(proxy.url + path);
    return page;
  }
  async function signIn(page: Page, viewer: string): Promise<void> {
    await page.locator("#key").fill(keyOf(viewer));
    await page.keyboard.press("Enter");
    await page.locator("#content").waitFor();
  }
  async function openSignedIn(viewer: string, path?: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await open(path, options);
    await signIn(page, viewer);
    return page;
  }
  return {
    sandbox,
    gateway,
    proxy,
    faults,
    async endCall(call = {}) {
      const { sessionId } = sandbox.control.endCall(call);
      await until(() => isLogged(sessionId));
      return sessionId;
    },
    async setViewers(viewers) {
      await writeKeys(directory.path, viewers);
    },
    open,
    signIn,
    openSignedIn,
    async openAs(viewer, path, options) {
      const page = await openSignedIn(viewer, path, options);
      await page.locator("[data-state=live]").waitFor();
      return page;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Waits until the page has the code of all its views, and can do without the gateway. */
export const untilPartsLoaded = (page: Page): Promise<true> =>
  until(() => page.evaluate<boolean>('performance.getEntriesByName("parts loaded").length > 0'));

/** The session ids of the rows in sight, from the top. */
export const shownSessions = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll("[data-key]")]
      .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => new URL(row.querySelector("a").href).searchParams.get("call"))`,
  );

/** Waits for these sessions at the top of the list, and for nothing else. */
export async function untilShown(page: Page, sessions: readonly string[]): Promise<void> {
  await until(async () => {
    const shown = await shownSessions(page).catch(() => []);
    return sessions.every((session, at) => shown[at] === session);
  }).catch(async (cause: unknown) => {
    throw new Error(`The list shows ${String(await shownSessions(page))}, not ${String(sessions)}.`, { cause });
  });
}
