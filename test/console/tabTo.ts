import type { Locator, Page } from "playwright-core";

/** Goes on by Tab until the focus is there, as a user without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element.matches(":focus"))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there.");
}
