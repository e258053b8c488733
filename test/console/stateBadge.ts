// What tests of the console's state share.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findFaults } from "./findFaults.ts";

export const badge = (page: Page) => page.getByRole("group", { name: /^(State|状态)$/ });
export const openView = (page: Page, name: string): Promise<void> =>
  page.getByRole("link", { name, exact: true }).click();

/** No fault of accessibility, and nothing to scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findFaults(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}
