// Languages that browsers name and Intl refuses: those of systems without a locale, and lists in the place of a tag.
// https://github.com/leeoniya/uPlot/issues/1053, https://github.com/wojtekmaj/get-user-locale/issues/16, https://github.com/readest/readest/pull/3522
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../support/browserPage.ts";
import { keyOf } from "../support/keys.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";

const LANGUAGES = [
  ["C", "en"],
  ["POSIX", "en"],
  ["en-US@posix", "en"],
  ["en-US,en", "en"],
  ["en-US.UTF-8", "en"],
  ["zh_CN.UTF-8", "zh-CN"],
  ["", "en"],
] as const;

describe.skipIf(!hasChromium)("A console in a browser of an odd language (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(LANGUAGES)("shows charts and takes a date where the browser names %j", async (language, shown) => {
    const page = await stage.open("/");
    await page.addInitScript(
      (value) => Object.defineProperty(Navigator.prototype, "language", { get: () => value, configurable: true }),
      language,
    );
    await page.goto(stage.proxy.url);
    await page.locator("#key").fill(keyOf("ops"));
    await page.keyboard.press("Enter");
    await page.locator(".uplot canvas").first().waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe(shown);
    await page.getByRole("link", { name: /^(Tasks|任务)$/ }).click();
    await page.getByRole("link", { name: /^(New task|新建任务)$/ }).click();
    await page.getByLabel(/^(First day|开始日期)$/).fill("2027-03-04");
    await page.getByText("2027").first().waitFor();
    expect(stage.faults).toEqual([]);
    await page.context().close();
  });
});
