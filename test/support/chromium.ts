// Starts Chromium for tests, which are skipped where it is not installed.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** The shell is the same engine without the frame of windows and menus: a page costs less than half the processor time. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
const CHROMIUM = process.env["CHROMIUM"] ?? INSTALLED.find((path) => existsSync(path)) ?? "";
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
