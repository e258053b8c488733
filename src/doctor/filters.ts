// Whether filters filter, and which encodings of assistantIds are understood: the rows of a range that was read whole
// say what each filter ought to give.
import type { Look } from "./gentleClient.ts";
import { counted, determined, undetermined, type Finding, type Question } from "./finding.ts";
import type { SeenRow } from "./observed.ts";

export type Verdict = "honoured" | "ignored" | "refused" | "first only" | "unknown";
export const styles = ["comma", "repeat", "brackets"] as const;
export type Style = (typeof styles)[number];

export interface Expectation {
  all: readonly SeenRow[];
  meant: (row: SeenRow) => boolean;
  /** Of a list: what the first value alone gives. */
  first?: (row: SeenRow) => boolean;
}

/** Only where the outcomes differ can they be told apart. */
export function judge(look: Look | undefined, { all, meant, first }: Expectation): Verdict {
  if (!look) return "unknown";
  if (look.page === null) return isRefusal(look.status) ? "refused" : "unknown";
  const { rows, total } = look.page;
  const outcomes: [Verdict, (row: SeenRow) => boolean][] = [
    ["honoured", meant],
    ["ignored", () => true],
    ...(first ? [["first only", first] as [Verdict, (row: SeenRow) => boolean]] : []),
  ];
  const fitting = outcomes.filter(([, fits]) => {
    const expected = new Set(all.filter(fits).map(({ key }) => key));
    return expected.size === total && total > 0 && rows.every(({ key }) => expected.has(key));
  });
  return fitting.length === 1 && fitting[0] ? fitting[0][0] : "unknown";
}

/** Of a value that no row has. Rows do not show by which value they came, so only how many came tells. */
export function judgeByNone(look: Look, all: readonly SeenRow[]): Verdict {
  if (look.page === null) return isRefusal(look.status) ? "refused" : "unknown";
  const { rows, total } = look.page;
  if (total === 0 && rows.length === 0) return "honoured";
  return total === all.length ? "ignored" : "unknown";
}

/** Of the two values that there are, of which each row has one. */
export function judgeByBoth(looks: readonly [Look, Look], all: readonly SeenRow[]): Verdict {
  const [one, other] = looks.map(({ page }) => page);
  if (!one || !other) {
    const isRefused = looks.every(
      ({ page }, at) => page === null && isRefusal((looks[at] as { status: number }).status),
    );
    return isRefused ? "refused" : "unknown";
  }
  const keys = new Set(one.rows.map(({ key }) => key));
  const isShared = other.rows.some(({ key }) => keys.has(key));
  if (isShared) return one.total === all.length && other.total === all.length ? "ignored" : "unknown";
  return one.total + other.total === all.length && all.length > 0 ? "honoured" : "unknown";
}

/** `isStill`: the range held the same rows before and after. */
export function filterFinding(
  question: Question,
  verdict: Verdict,
  all: readonly SeenRow[],
  isStill: boolean,
): Finding {
  const seen = `A range of ${counted(all.length, "call")}`;
  if (!isStill) return undetermined(question, `${seen} was not the same before and after.`);
  if (verdict === "unknown") return undetermined(question, `${seen} does not tell.`);
  return determined(question, verdict, `${seen}, asked for with the filter and without.`);
}

/** The encodings understood, as far as each of the three is known for sure. */
export function assistantIds(verdicts: Record<Style, Verdict>, all: readonly SeenRow[], isStill: boolean): Finding {
  const seen = styles.map((style) => `${style}: ${verdicts[style]}`).join(", ");
  const evidence = `A range of ${counted(all.length, "call")} and two assistants. ${seen}.`;
  if (!isStill || styles.some((style) => verdicts[style] === "unknown")) return undetermined("assistantIds", evidence);
  const understood = styles.filter((style) => verdicts[style] === "honoured");
  return determined("assistantIds", understood.join(", ") || "none", evidence);
}

/** A status that says no to this very request; others may come of anything. */
function isRefusal(status: number): boolean {
  return [400, 404, 406, 414, 422].includes(status);
}
