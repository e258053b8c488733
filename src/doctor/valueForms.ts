// How the service writes times, nothing, and ids: read off the rows and tasks that were seen.
import { counted, determined, undetermined, type Finding, type Question } from "./finding.ts";
import { timeFields, type SeenPage, type SeenRow, type SeenTask } from "./observed.ts";
import type { Look } from "./gentleClient.ts";
import type { NoTime, SeenTime, TimeForm } from "./timeForm.ts";

const NO_TIMES: readonly TimeForm[] = ["zero", "empty", "null", "absent"] satisfies NoTime[];

export function callLogTimes(rows: readonly SeenRow[]): Finding {
  return formsOf(
    "callLogTimes",
    rows.flatMap(({ times }) => timeFields.map((field) => times[field])),
    "call",
  );
}

export function taskTimes(tasks: readonly SeenTask[]): Finding {
  return formsOf(
    "taskTimes",
    tasks.flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
    "task",
  );
}

/** Several forms are named all. */
function formsOf(question: Question, times: readonly SeenTime[], noun: string): Finding {
  const real = times.filter(({ form }) => !NO_TIMES.includes(form));
  if (real.length === 0) return undetermined(question, `No time of a ${noun} was seen.`);
  const unknown = real.filter(({ form }) => form === "unknown").length;
  if (unknown > 0) return undetermined(question, `${unknown} of ${counted(real.length, "time")} have no known form.`);
  return determined(question, distinct(real.map(({ form }) => form)), `${counted(real.length, "time")} of ${noun}s.`);
}

/** What stands in a row where there is no time: of a call that nobody answered, or that is still going. */
export function missingTimes(rows: readonly SeenRow[]): Finding {
  const forms = rows.flatMap(({ times }) => timeFields.map((field) => times[field].form));
  const missing = forms.filter((form) => NO_TIMES.includes(form));
  if (missing.length === 0) return undetermined("missingTimes", "Every time of every row seen is there.");
  return determined("missingTimes", distinct(missing), `${counted(missing.length, "missing time")} in rows.`);
}

/** A range long before the service was there; where rows come all the same, the range has no effect. */
export function noMatches(look: Look): Finding {
  return emptiness("noMatches", look, "A range in 1971");
}

export function beyondEnd(look: Look): Finding {
  return emptiness("beyondEnd", look, "A page far beyond the last");
}

function emptiness(question: Question, look: Look, what: string): Finding {
  if (look.page === null)
    return undetermined(question, `${what} was not answered with a page (${look.status || "-"}).`);
  const { items, rows } = look.page;
  if (items === "rows") return undetermined(question, `${what} gave ${counted(rows.length, "row")}.`);
  return determined(question, items === "null" ? "null" : "[]", `${what} gave ${items === "null" ? "null" : "[]"}.`);
}

/** Says what was seen, and nothing of what may come. */
export function idSizes(rows: readonly SeenRow[], tasks: readonly SeenTask[]): Finding {
  const ids = [
    ...rows.flatMap(({ taskId, assistantIds, versionIds }) => [taskId, ...assistantIds, ...versionIds]),
    ...tasks.flatMap(({ taskId, assistantIds }) => [taskId, ...assistantIds]),
  ].filter((id) => id !== null);
  if (ids.length === 0) return undetermined("idSizes", "No id was seen.");
  const largest = ids.map(BigInt).reduce((most, each) => (each > most ? each : most));
  const size = largest < 2n ** 31n ? "below 2^31" : largest < 2n ** 53n ? "below 2^53" : "2^53 or more";
  const digits = String(largest).length;
  return determined(
    "idSizes",
    size,
    `The largest of ${counted(new Set(ids).size, "id")} has ${counted(digits, "digit")}.`,
  );
}

/**
 * The most rows that a page holds, of 100 asked for. `pages` are page 1 and 2 of one range. What the answer tells of
 * its size counts only where rows do not contradict it: some repeat what was asked.
 */
export function pageClamp(pages: readonly SeenPage[]): Finding {
  const [first, second] = pages;
  if (!first) return undetermined("pageClamp", "There is no page.");
  const { rows, total, pageSize } = first;
  const seen = `${counted(rows.length, "row")} of ${total} came, and pageSize says ${pageSize ?? "nothing"}.`;
  if (rows.length >= 100) return determined("pageClamp", String(rows.length), seen);
  if (total > rows.length) {
    const left = Math.min(rows.length, total - rows.length);
    const isSteady = rows.length > 0 && second !== undefined && second.rows.length >= left && left === rows.length;
    const isSmaller = second !== undefined && second.rows.length > rows.length;
    if (isSteady && !isSmaller)
      return determined("pageClamp", String(rows.length), `${seen} The next page has as many.`);
    if (pageSize === rows.length) return determined("pageClamp", String(rows.length), seen);
    return undetermined("pageClamp", seen);
  }
  if (pageSize !== null && pageSize < 100 && pageSize > rows.length)
    return determined("pageClamp", String(pageSize), seen);
  return undetermined("pageClamp", `${seen} It takes more calls than one page holds to tell.`);
}

function distinct(values: readonly string[]): string {
  return [...new Set(values)].toSorted().join(", ");
}
