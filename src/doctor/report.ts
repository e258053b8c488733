// Prints the findings as a table, and the settings that follow from them as lines of an environment file.
import type { FilterName } from "../config/variables.ts";
import { questions, type Finding, type Question } from "./finding.ts";

/** Settings that are already set; null if not. */
export interface CurrentSettings {
  timeZone: string | null;
  assistantIds: "comma" | "repeat" | "brackets" | null;
}

const MAX_ZONES_SHOWN = 12;

/** @param settings the lines of `recommendSettings`. */
export function formatReport(findings: readonly Finding[], settings: readonly string[], requestCount: number): string {
  const rows = findings.map(({ question, value, evidence }) => [
    questions[question],
    value ?? "undetermined",
    evidence,
  ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  const table = rows.map(
    ([name = "", value = "", evidence = ""]) => `  ${name.padEnd(first)}  ${value.padEnd(second)}  ${evidence}`,
  );
  const count = findings.filter(({ confidence }) => confidence === "determined").length;
  return [
    "",
    ...table,
    "",
    `  ${count} of ${findings.length} determined, with ${requestCount} requests, all of them GET.`,
    "",
    "  Settings:",
    "",
    ...settings.map((line) => `  ${line}`),
    "",
    "",
  ].join("\n");
}

/** The names of settings that contradict the findings. */
export function contradictedSettings(findings: readonly Finding[], current: CurrentSettings): string[] {
  const { zones } = findings.find(({ question }) => question === "timeZone") ?? {};
  const applied = findings.find(({ question }) => question === "assistantIds")?.value?.split(", ");
  return [
    ...(zones && current.timeZone !== null && !includesZone(zones, current.timeZone) ? ["UPSTREAM_TIME_ZONE"] : []),
    ...(applied && current.assistantIds !== null && !applied.includes(current.assistantIds)
      ? ["UPSTREAM_ASSISTANT_IDS"]
      : []),
  ];
}

/** Lines of an environment file. A setting that is not determined becomes a comment. */
export function recommendSettings(findings: readonly Finding[], current: CurrentSettings): string[] {
  const find = (question: Question) => findings.find((finding) => finding.question === question);
  return [
    ...zoneLines(find("timeZone"), current.timeZone),
    ...encodingLines(find("assistantIds"), current.assistantIds),
    ...rangeLines(find("rangeField")),
    ...ignoredLines(find),
  ];
}

/** Never guesses among zones: an offset does not tell when a zone changes its clocks. */
function zoneLines(finding: Finding | undefined, current: string | null): string[] {
  const unknown = "# UPSTREAM_TIME_ZONE: undetermined. Ask the operator of the service.";
  if (!finding?.zones) return [unknown];
  const { value, zones } = finding;
  const isContradicted = current !== null && !includesZone(zones, current);
  const warning = isContradicted ? ["# UPSTREAM_TIME_ZONE is set to a zone that contradicts the findings."] : [];
  if (value === null) return [...warning, unknown];
  if (current !== null && !isContradicted) return [`UPSTREAM_TIME_ZONE=${current}   # already set, and it agrees`];
  const rest = zones.length > MAX_ZONES_SHOWN ? ` and ${zones.length - MAX_ZONES_SHOWN} more (--json lists all)` : "";
  const shown = `${zones.slice(0, MAX_ZONES_SHOWN).join(", ")}${rest}`;
  return [
    ...warning,
    `# UPSTREAM_TIME_ZONE: the zone at ${value} in which the service runs, one of: ${shown || "none known"}`,
  ];
}

function encodingLines(finding: Finding | undefined, current: CurrentSettings["assistantIds"]): string[] {
  const applied = finding?.value?.split(", ") ?? [];
  if (applied.length === 0) return ["# UPSTREAM_ASSISTANT_IDS: undetermined."];
  if (applied[0] === "none") return ["# UPSTREAM_ASSISTANT_IDS: the service reads none of comma, repeat and brackets."];
  const isContradicted = current !== null && !applied.includes(current);
  const warning = isContradicted
    ? [`# UPSTREAM_ASSISTANT_IDS is set to ${current}, which the service does not read.`]
    : [];
  const encoding = current !== null && !isContradicted ? current : applied[0];
  return [...warning, `UPSTREAM_ASSISTANT_IDS=${encoding}`];
}

function rangeLines(finding: Finding | undefined): string[] {
  const value = finding?.value ?? null;
  return [value === null ? "# UPSTREAM_RANGE_FIELD: undetermined." : `UPSTREAM_RANGE_FIELD=${value}`];
}

/** The graph's names of the filters. */
const filterNames: Partial<Record<Question, FilterName>> = {
  taskId: "taskIds",
  direction: "direction",
  phone: "phone",
  description: "kind",
};

function ignoredLines(find: (question: Question) => Finding | undefined): string[] {
  const ignored = Object.entries(filterNames).filter(([question]) => find(question as Question)?.value === "ignored");
  return ignored.length === 0 ? [] : [`UPSTREAM_IGNORES=${ignored.map(([, name]) => name).join(",")}`];
}

/** Treats other names of one zone as that zone. */
function includesZone(zones: readonly string[], zone: string): boolean {
  const canonical = (name: string) => new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  return zones.some((each) => canonical(each) === canonical(zone));
}
