// Judges whether filters have an effect, and which encodings of assistantIds the service reads. The rows of a range that was
// read without filters say what each filter must return.
import { determined, pluralize, undetermined, type Finding, type Question } from "./finding.ts";
import type { ObservedRow } from "./observe.ts";
import type { ListResult } from "./probeClient.ts";

export type Verdict = "applied" | "ignored" | "refused" | "first only" | "finds nothing" | "unknown";
export const encodings = ["comma", "repeat", "brackets"] as const;
export type ListEncoding = (typeof encodings)[number];

export interface Expectation {
  /** All rows of the range. */
  all: readonly ObservedRow[];
  matches: (row: ObservedRow) => boolean;
  /** For a list of values: whether the row matches the first value alone. */
  matchesFirst?: (row: ObservedRow) => boolean;
}

/** Unknown if two outcomes would look alike. */
export function judgeFilter(result: ListResult | undefined, { all, matches, matchesFirst }: Expectation): Verdict {
  if (!result) return "unknown";
  if (result.page === null) return isRefusal(result.status) ? "refused" : "unknown";
  const { rows, total } = result.page;
  // A service that uses only the first value may find nothing, too.
  if (total === 0 && rows.length === 0) return all.some(matchesFirst ?? matches) ? "finds nothing" : "unknown";
  const outcomes: [Verdict, (row: ObservedRow) => boolean][] = [
    ["applied", matches],
    ["ignored", () => true],
    ...(matchesFirst ? [["first only", matchesFirst] as [Verdict, (row: ObservedRow) => boolean]] : []),
  ];
  const fitting = outcomes.filter(([, fits]) => {
    const expected = new Set(all.filter(fits).map(({ key }) => key));
    return expected.size === total && total > 0 && rows.every(({ key }) => expected.has(key));
  });
  return fitting.length === 1 && fitting[0] ? fitting[0][0] : "unknown";
}

/** For a filter by a value that no row has: rows do not show the filtered value, so only their number counts. */
export function judgeUnmatchedValue(result: ListResult, all: readonly ObservedRow[]): Verdict {
  if (result.page === null) return isRefusal(result.status) ? "refused" : "unknown";
  const { rows, total } = result.page;
  if (total === 0 && rows.length === 0) return "applied";
  return total === all.length ? "ignored" : "unknown";
}

/** For a filter with two values, of which each row has exactly one: the two results must share no row. */
export function judgeOppositeValues(results: readonly [ListResult, ListResult], all: readonly ObservedRow[]): Verdict {
  const [one, other] = results.map(({ page }) => page);
  if (!one || !other) {
    const isRefused = results.every(
      ({ page }, at) => page === null && isRefusal((results[at] as { status: number }).status),
    );
    return isRefused ? "refused" : "unknown";
  }
  const keys = new Set(one.rows.map(({ key }) => key));
  const isShared = other.rows.some(({ key }) => keys.has(key));
  if (isShared) return one.total === all.length && other.total === all.length ? "ignored" : "unknown";
  return one.total + other.total === all.length && all.length > 0 ? "applied" : "unknown";
}

/** @param isStable whether the range held the same number of rows before and after. */
export function filterFinding(
  question: Question,
  verdict: Verdict,
  all: readonly ObservedRow[],
  isStable: boolean,
): Finding {
  const range = `A range of ${pluralize(all.length, "call")}`;
  if (!isStable) return undetermined(question, `${range} changed while it was read.`);
  if (verdict === "unknown") return undetermined(question, `${range} does not tell.`);
  return determined(question, verdict, `${range}, read with the filter and without.`);
}

/** The encodings that the service reads, as far as is known. Undetermined if it is known to read none, and another may be read. */
export function judgeAssistantIds(
  verdicts: Record<ListEncoding, Verdict>,
  all: readonly ObservedRow[],
  isStable: boolean,
): Finding {
  const details = encodings.map((encoding) => `${encoding}: ${verdicts[encoding]}`).join(", ");
  const evidence = `A range of ${pluralize(all.length, "call")} and two assistants. ${details}.`;
  const applied = encodings.filter((encoding) => verdicts[encoding] === "applied");
  const isUnknown = encodings.some((encoding) => verdicts[encoding] === "unknown");
  if (!isStable || (applied.length === 0 && isUnknown)) return undetermined("assistantIds", evidence);
  return determined("assistantIds", applied.join(", ") || "none", evidence);
}

/** A status that refuses this request; other statuses may have any cause. */
function isRefusal(status: number): boolean {
  return [400, 404, 406, 414, 422].includes(status);
}
