// The settings that the findings call for, as lines of an environment. What is not determined stays a comment.
import type { FilterName } from "../config/listConfig.ts";
import type { Finding, Question } from "./finding.ts";

/** What is set already; null where nothing is. */
export interface Current {
  timeZone: string | null;
  assistantIds: "comma" | "repeat" | "brackets" | null;
}

const MOST_ZONES = 12;

export function settingsOf(findings: readonly Finding[], current: Current): string[] {
  const by = (question: Question) => findings.find((finding) => finding.question === question);
  return [
    ...zoneLines(by("timeZone"), current.timeZone),
    ...encodingLines(by("assistantIds"), current.assistantIds),
    ...rangeLines(by("rangeField")),
    ...ignoredLines(by),
  ];
}

/** Lists are held to it exactly then. */
function rangeLines(finding: Finding | undefined): string[] {
  const value = finding?.value ?? null;
  return [value === null ? "# UPSTREAM_RANGE_FIELD: undetermined." : `UPSTREAM_RANGE_FIELD=${value}`];
}

/** The filters by their names in the graph. */
const filters: Partial<Record<Question, FilterName>> = {
  taskId: "taskIds",
  direction: "direction",
  phone: "phone",
  description: "kind",
};

function ignoredLines(by: (question: Question) => Finding | undefined): string[] {
  const ignored = Object.entries(filters).filter(([question]) => by(question as Question)?.value === "ignored");
  return ignored.length === 0 ? [] : [`UPSTREAM_IGNORES=${ignored.map(([, name]) => name).join(",")}`];
}

/** Never a guess among zones: which of them changes its clocks when, an offset does not tell. */
function zoneLines(finding: Finding | undefined, current: string | null): string[] {
  const unknown = "# UPSTREAM_TIME_ZONE: undetermined. Ask whoever runs the service.";
  if (!finding?.zones) return [unknown];
  const { value, zones } = finding;
  const isRuledOut = current !== null && !fits(zones, current);
  const wrong = isRuledOut ? ["# UPSTREAM_TIME_ZONE is set to a zone that contradicts what was seen."] : [];
  if (value === null) return [...wrong, unknown];
  if (current !== null && !isRuledOut) return [`UPSTREAM_TIME_ZONE=${current}   # it is set, and agrees`];
  const rest = zones.length > MOST_ZONES ? ` and ${zones.length - MOST_ZONES} more (--json names all)` : "";
  const some = `${zones.slice(0, MOST_ZONES).join(", ")}${rest}`;
  return [
    ...wrong,
    `# UPSTREAM_TIME_ZONE: the zone at ${value} where the service runs, one of: ${some || "none known"}`,
  ];
}

function encodingLines(finding: Finding | undefined, current: Current["assistantIds"]): string[] {
  const understood = finding?.value?.split(", ") ?? [];
  if (understood.length === 0) return ["# UPSTREAM_ASSISTANT_IDS: undetermined."];
  if (understood[0] === "none") return ["# UPSTREAM_ASSISTANT_IDS: none of comma, repeat and brackets is understood."];
  const style = current !== null && understood.includes(current) ? current : understood[0];
  return [`UPSTREAM_ASSISTANT_IDS=${style}`];
}

/** Another name of one zone counts as that zone. */
function fits(zones: readonly string[], zone: string): boolean {
  const canonical = (name: string) => new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  return zones.some((each) => canonical(each) === canonical(zone));
}
