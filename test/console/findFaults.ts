// Judges the accessibility of a page with axe.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Minified: the page has half as much to read. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules of accessibility that the page breaks, each with the elements. `without`: rules that do not apply. */
export async function findFaults(page: Page, without: readonly string[] = []): Promise<string[]> {
  await page.evaluate(AXE);
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  // To describe and to send the elements that keep the rules takes half of the time.
  const options = JSON.stringify({ runOnly: TAGS, rules, resultTypes: ["violations"] });
  const violations = await page.evaluate<AxeResults["violations"]>(
    `axe.run(${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
