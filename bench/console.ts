// Opens the console in headless Chromium at a real gateway: the time to its first row, then a steady load of ended calls, and
// how smoothly a full list scrolls. Needs Chromium; CHROMIUM is its path.
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Browser, type Page } from "playwright-core";
import { buildConsole } from "../test/console/consoleStage.ts";
import { emptySandbox } from "../test/support/emptySandbox.ts";
import { callEndedEvent } from "../test/support/events.ts";
import { TIME_ZONE, WEBHOOK_AUTHORIZATION } from "../test/support/sandbox.ts";
import { openConnection, postBytes, type Connection } from "./support/connection.ts";
import type { Effort } from "./support/effort.ts";
import { figure } from "./support/statistics.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { meterPage, type PageMeter } from "./support/pageMeter.ts";

/** As many as the Live view holds. */
const ROWS = 10_000;
const SENDERS = 8;
const PER_SECOND = 50;
const LOADS = 7;
const SCROLL_MS = 5000;
const REASONS = ["normal", "no answer", "busy", "rejected"];

export async function benchConsole({ consoleSeconds }: Effort): Promise<void> {
  await buildConsole();
  await using service = await emptySandbox();
  service.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
  await using gateway = await startGateway({ service: service.url, cacheMs: 1000 });
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await send(gateway, ROWS);
    const loads: number[] = [];
    for (let at = 0; at < LOADS; at++) {
      const { page, meter } = await openLive(browser, gateway);
      loads.push(await meter.firstRowMs());
      await page.context().close();
    }
    console.log(`\nThe console, with ${ROWS.toLocaleString("en")} calls in the log`);
    console.log(`  from the navigation to the first row, ms: ${figure(loads)}`);
    await benchLoad(browser, gateway, consoleSeconds);
  } finally {
    await browser.close();
  }
}

async function benchLoad(browser: Browser, gateway: BenchGateway, seconds: number): Promise<void> {
  const { page, meter } = await openLive(browser, gateway);
  await meter.firstRowMs();
  await send(gateway, ROWS);
  await page
    .locator(`[aria-rowcount="${ROWS + 1}"]`)
    .first()
    .waitFor({ timeout: 60_000 });
  await wait(5000);
  const began = await page.evaluate<number>("performance.now()");
  const heaps = [await meter.heapMb()];
  const sending = sendSteadily(gateway, seconds);
  for (let left = seconds; left > 0; left -= 60) {
    await wait(Math.min(60, left) * 1000);
    heaps.push(await meter.heapMb());
  }
  await sending;
  const tasks = (await meter.longTasks()).filter(({ at }) => at >= began).map(({ ms }) => ms);
  const { framesPerSecond, longestFrameMs } = await scrollUnderLoad(gateway, meter);
  console.log(
    `  ${PER_SECOND} ended calls a second for ${seconds} s, with ${ROWS.toLocaleString("en")} rows in the list:`,
  );
  console.log(`    tasks over 50 ms: ${tasks.length}${tasks.length > 0 ? `, ms: ${figure(tasks)}` : ""}`);
  console.log(
    `    heap after a collection, at the start and each minute, MB: ${heaps.map((mb) => mb.toFixed(1)).join(", ")}`,
  );
  console.log(`  scrolling through all rows in ${SCROLL_MS / 1000} s, with the load:`);
  console.log(
    `    frames a second: ${framesPerSecond.toFixed(1)}; the longest frame, ms: ${longestFrameMs.toFixed(1)}`,
  );
  await page.context().close();
}

async function scrollUnderLoad(gateway: BenchGateway, meter: PageMeter) {
  const sending = sendSteadily(gateway, SCROLL_MS / 1000);
  const scrolling = await meter.scroll(SCROLL_MS);
  await sending;
  return scrolling;
}

/** A page with nothing in its cache, signed in. */
async function openLive(browser: Browser, gateway: BenchGateway): Promise<{ page: Page; meter: PageMeter }> {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const meter = await meterPage(page);
  const key = gateway.authorization.replace("Bearer ", "");
  await page.addInitScript(`sessionStorage.setItem("switchboard-key", ${JSON.stringify(key)})`);
  await page.goto(`${gateway.url}/live`);
  return { page, meter };
}

/** As fast as they are acknowledged. */
async function send(gateway: BenchGateway, count: number): Promise<void> {
  const connections = await Promise.all(Array.from({ length: SENDERS }, () => openConnection(gateway.url)));
  let left = count;
  await Promise.all(
    connections.map(async (connection) => {
      while (left-- > 0) await post(connection);
      connection.close();
    }),
  );
}

async function sendSteadily(gateway: BenchGateway, seconds: number): Promise<void> {
  const connection = await openConnection(gateway.url);
  const began = performance.now();
  for (let sent = 0; sent < seconds * PER_SECOND; sent++) {
    await wait(Math.max(0, began + (sent * 1000) / PER_SECOND - performance.now()));
    await post(connection);
  }
  connection.close();
}

let made = 0;
const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE, dateStyle: "short", timeStyle: "medium" });
const timeOf = (agoMs: number) => clock.format(Date.now() - agoMs);

async function post(connection: Connection): Promise<void> {
  const at = made++;
  const isAnswered = at % 3 > 0;
  const { status } = await connection.send(
    postBytes(
      "/calllog",
      WEBHOOK_AUTHORIZATION,
      JSON.stringify(
        callEndedEvent({
          session_id: `bench-${at}`,
          callee: `+1202555${String(at % 10_000).padStart(4, "0")}`,
          start_at: timeOf(40_000),
          answer_at: isAnswered ? timeOf(30_000) : null,
          end_at: timeOf(0),
          billsec: isAnswered ? 30 : 0,
          hangup_reason: REASONS[at % REASONS.length],
          record_url: null,
        }),
      ),
    ),
  );
  if (status !== 200) throw new Error(`a webhook was answered ${status}`);
}
