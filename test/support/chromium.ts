// Starts Chromium for tests, which are skipped where it is not installed.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);
/** These only end what hangs: a machine that does much else takes its time. */
const TIMEOUT_MS = 180_000;

/** Needs `hasChromium`. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"], timeout: TIMEOUT_MS });
  const { newContext } = browser;
  // `newPage` opens a context of its own by this function, too.
  browser.newContext = async (...options) => {
    const context = await newContext.apply(browser, options);
    context.setDefaultTimeout(TIMEOUT_MS);
    return context;
  };
  return browser;
}
