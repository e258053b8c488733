// A page that its browser translates: translators put elements of their own in the place of texts, so that React's texts are no longer in the page.
// https://github.com/facebook/react/issues/11538, https://bugs.chromium.org/p/chromium/issues/detail?id=872770
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { shownSessions, startConsole, type ConsoleStage } from "./consoleStage.ts";

/** As the translators of browsers do it: each text, at once and whenever one is added. `kept`: a selector of what is not translated. */
function translatePage(kept: string): void {
  const isKept = (node: Node) => node.parentElement?.closest(kept) !== null;
  function translate(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.nodeValue?.trim() || isKept(text)) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.nodeValue;
      outer.append(inner);
      (text as Text).replaceWith(outer);
    }
  }
  translate(document.documentElement);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) translate(node.nodeType === 3 ? (node.parentNode ?? node) : node);
  }).observe(document.documentElement, { childList: true, subtree: true });
}

describe.skipIf(!hasChromium)("A console whose browser translates pages (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** Live, with a call before and one after the translator came, then each view. */
  async function walk(kept: string): Promise<Page> {
    const first = await stage.endCall();
    const page = await stage.openAs("admin");
    await until(async () => (await shownSessions(page)).includes(first));
    await page.evaluate(translatePage, kept);
    const second = await stage.endCall();
    await until(async () => (await shownSessions(page))[0] === second);
    await page.keyboard.press("p");
    await stage.endCall();
    await page.keyboard.press("p");
    for (const view of ["Calls", "Statistics", "Tasks", "Health", "Live"]) {
      await page.getByRole("navigation").getByRole("link", { name: view }).click();
      await page.getByRole("heading", { level: 1, name: view }).waitFor();
    }
    await until(async () => (await shownSessions(page)).length > 2);
    return page;
  }

  it("is not translated, because a translated text keeps its old number", async () => {
    const page = await walk("[translate=no], font, script, style");
    expect(await page.locator("font").count()).toBe(0);
    await page.context().close();
  });

  it("shows calls and every view beside an extension that translates all the same", async () => {
    const page = await walk("font, script, style");
    expect(await page.locator("font").count()).toBeGreaterThan(0);
    expect(stage.faults).toEqual([]);
    await page.context().close();
  });
});
