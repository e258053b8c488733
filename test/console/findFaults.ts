import axe from "axe-core";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules of accessibility that the page breaks, each with the elements. `without`: rules that do not apply. */
export async function findFaults(page: Page, without: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe.source);
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify({ runOnly: TAGS, rules })})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
