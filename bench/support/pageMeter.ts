// Measures a page of the console in Chromium: when its first row was there, tasks that blocked it, its heap, and its frames.
import type { CDPSession, Page } from "playwright-core";

/** In milliseconds since the navigation began. */
export interface LongTask {
  at: number;
  ms: number;
}

export interface Scrolling {
  framesPerSecond: number;
  /** The longest time between two frames. */
  longestFrameMs: number;
}

export interface PageMeter {
  /** From the start of the navigation to the first frame with a row of the table, in milliseconds. Waits for it. */
  firstRowMs(): Promise<number>;
  /** Tasks of more than 50 ms since the navigation, and not those of a forced collection. */
  longTasks(): Promise<LongTask[]>;
  /** After a forced collection, in MB. */
  heapMb(): Promise<number>;
  /** Scrolls the table from its top to its end, and back to the top at once. Takes longer where the page draws no second frame in `ms`. */
  scroll(ms: number): Promise<Scrolling>;
}

/** Runs in the page before its own scripts. */
const OBSERVE = `
window.meter = { firstRowMs: null, longTasks: [], collections: [] };
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) meter.longTasks.push({ at: startTime, ms: duration });
}).observe({ type: "longtask", buffered: true });
{
  const look = () => {
    if (document.querySelector("[data-key]")) meter.firstRowMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

const FIRST_ROW = `new Promise((done) => {
  const look = () => (meter.firstRowMs === null ? requestAnimationFrame(look) : done(meter.firstRowMs));
  look();
})`;

const scrolling = (ms: number) => `new Promise((done) => {
  const table = document.querySelector("[data-rows]");
  const end = table.scrollHeight - table.clientHeight;
  const began = performance.now();
  let [frames, longest, last] = [0, 0, began];
  const step = (now) => {
    if (frames > 0) longest = Math.max(longest, now - last);
    last = now;
    frames += 1;
    const part = (performance.now() - began) / ${ms};
    table.scrollTop = part < 1 ? end * part : 0;
    // A busy page may draw a single frame in that time, which says nothing about the time between two.
    if (part < 1 || frames < 2) requestAnimationFrame(step);
    else done({ framesPerSecond: frames / ((performance.now() - began) / 1000), longestFrameMs: longest });
  };
  requestAnimationFrame(step);
})`;

/** Call it before the page navigates. */
export async function meterPage(page: Page): Promise<PageMeter> {
  await page.addInitScript(OBSERVE);
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return {
    firstRowMs: () => page.evaluate<number>(FIRST_ROW),
    longTasks: () =>
      page.evaluate<LongTask[]>(
        "meter.longTasks.filter(({ at, ms }) => !meter.collections.some(([from, to]) => at < to && at + ms > from))",
      ),
    async heapMb() {
      const from = await page.evaluate<number>("performance.now()");
      await session.send("HeapProfiler.collectGarbage");
      await page.evaluate(`meter.collections.push([${from}, performance.now()])`);
      const { metrics } = await session.send("Performance.getMetrics");
      return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN) / 1e6;
    },
    scroll: (ms) => page.evaluate<Scrolling>(scrolling(ms)),
  };
}
