// Holds answers against what is right. A lie is an answer that is neither right, nor has a code, nor tells drift, nor names
// the field that could not be read.
import { isDeepStrictEqual } from "node:util";
import type { Fault, Walk } from "./ask.ts";
import type { Json } from "./service.ts";

export interface Verdict {
  wrong: string[];
  /** Codes, `drift`, and `another total`. */
  reported: string[];
}

export const emptyVerdict = (): Verdict => ({ wrong: [], reported: [] });

/** What a service may be the cause of (docs/errors.md). Any other code is a fault of the gateway, or of the question. */
const SERVICE_CODES = [
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_RATE_LIMITED",
  "UPSTREAM_REJECTED",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_FILTER_IGNORED",
];

export function judgeFaults(faults: readonly Fault[], verdict: Verdict, alsoAllowed: readonly string[] = []): void {
  if (faults.length === 0) verdict.wrong.push("is null without an error");
  for (const { message, extensions } of faults) {
    verdict.reported.push(extensions.code);
    if (![...SERVICE_CODES, ...alsoAllowed].includes(extensions.code))
      verdict.wrong.push(`has the code ${extensions.code}: ${message}`);
  }
}

/** `faults`: of this object's fields, each with its path from here. */
export function judgeFields(actual: Json, expected: Json, faults: readonly Fault[], verdict: Verdict): void {
  const unread = ((actual["unread"] as { field: string }[] | undefined) ?? []).map(({ field }) => field);
  const isUnread = (name: string) =>
    unread.some((field) => field === name || (/^[.[]/.test(field.slice(name.length)) && field.startsWith(name)));
  for (const [name, right] of Object.entries(expected)) {
    const given = actual[name];
    if (isDeepStrictEqual(given, right)) continue;
    const own = faults.filter(({ path }) => path?.[0] === name);
    if ((given === null || given === undefined) && own.length > 0) judgeFaults(own, verdict);
    else if (isUnread(name)) continue;
    else if (name === "answered" && given === null && (isUnread("answerAt") || isUnread("billsec"))) continue;
    else verdict.wrong.push(`${name} is ${JSON.stringify(given)}, and should be ${JSON.stringify(right)}`);
  }
}

/** The right list, whichever way its rows are told apart. */
export interface ExpectedList<Row> {
  rows: readonly Row[];
  /** Where the order is for nobody to tell, rows are found by this. */
  isOrdered: boolean;
  /** Rows that came or went while it was read: they may be there or not. */
  moving: ReadonlySet<Row>;
  /** Rows may have changed places in a way that nobody can see. */
  isReordered: boolean;
  keyOfRow: (row: Row) => string | null;
  keyOfNode: (node: Json) => string | null;
  since?: string | null;
  until?: string | null;
  judgeRow: (node: Json, row: Row, faults: readonly Fault[], verdict: Verdict) => void;
}

/**
 * The whole walk is one answer: a total is judged where the list was read to its end, for nobody can count what was not
 * shown, and one that changes on the way tells that it does; rows are judged on each page.
 */
export function judgeWalk<Row>({ pages, ended }: Walk, right: ExpectedList<Row>, verdict: Verdict): void {
  const { rows, isOrdered, moving, isReordered, keyOfRow: nameOf, keyOfNode: nameIn } = right;
  const seen: Row[] = [];
  let drifted = false;
  for (const page of pages) {
    drifted ||= page.driftDetected;
    const start = seen.length;
    if (page.nodes.length > page.first) verdict.wrong.push(`a page of ${page.first} has ${page.nodes.length} rows`);
    if (!drifted && page.hasPreviousPage !== start > 0)
      verdict.wrong.push(`hasPreviousPage is wrong behind ${start} rows`);
    if (!drifted && page.hasNextPage && page.nodes.length < page.first)
      verdict.wrong.push("a page before the last is short");
    for (const end of ["since", "until"] as const) {
      if (right[end] !== undefined && page[end] !== right[end])
        verdict.wrong.push(`${end} is ${page[end]}, and should be ${right[end]}`);
    }
    for (const [at, node] of page.nodes.entries()) {
      const row = findRow(node, start + at);
      if (row === undefined) {
        verdict.wrong.push(
          `row ${start + at} is ${nameIn(node)}, which does not belong ${rows.some((each) => nameOf(each) === nameIn(node)) ? "there" : "to the list"}`,
        );
        return;
      }
      if (!drifted && !isReordered && seen.includes(row)) verdict.wrong.push(`${nameOf(row)} is there twice`);
      seen.push(row);
      right.judgeRow(
        node,
        row,
        page.errors
          .filter(({ path }) => path?.[0] === at)
          .map((fault) => ({ ...fault, path: fault.path?.slice(1) ?? [] })),
        verdict,
      );
    }
  }
  if (drifted) verdict.reported.push("drift");
  if (ended === "endless") verdict.wrong.push("the list never ends");
  else if (ended !== null) judgeFaults(ended, verdict);
  else if (!drifted) judgeEnd();

  function findRow(node: Json, place: number): Row | undefined {
    if (isOrdered && !drifted && moving.size === 0) {
      const row = rows[place];
      return row !== undefined && nameOf(row) === nameIn(node) ? row : undefined;
    }
    return rows.find((row) => nameOf(row) === nameIn(node));
  }

  function judgeEnd(): void {
    const missing = rows.filter((row) => !moving.has(row) && !seen.includes(row));
    if (missing.length > 0 && !isReordered)
      verdict.wrong.push(`${missing.length} of ${rows.length} rows are missing, such as ${nameOf(missing[0] as Row)}`);
    const totals = pages.flatMap(({ totalCount }) => totalCount ?? []);
    const last = totals.at(-1);
    if (new Set(totals).size > 1) verdict.reported.push("another total");
    if (last !== undefined && (last > rows.length || last < rows.length - moving.size))
      verdict.wrong.push(`totalCount is ${last}, and should be ${rows.length}`);
  }
}
