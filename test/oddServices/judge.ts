// Compares answers with the expected ones. An answer is wrong unless it is the expected one, has an error code, reports drift, or
// names the field that could not be read.
import { isDeepStrictEqual } from "node:util";
import type { Fault, Walk } from "./gatewayClient.ts";
import type { Json } from "./service.ts";

export interface Verdict {
  wrong: string[];
  /** Error codes, `drift`, and `another total`. */
  reported: string[];
}

export const emptyVerdict = (): Verdict => ({ wrong: [], reported: [] });

/** Codes that a service may cause (docs/errors.md). Any other code is a fault of the gateway or of the question. */
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

/** `faults`: errors of this object's fields, with their paths from this object. */
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
    else verdict.wrong.push(`${name} is ${JSON.stringify(given)}, expected ${JSON.stringify(right)}`);
  }
}

/** The expected list. */
export interface ExpectedList<Row> {
  rows: readonly Row[];
  /** False: the order is unknown, so rows are found by their key. */
  isOrdered: boolean;
  /** Rows that were added or removed during the read: they may be there or not. */
  moving: ReadonlySet<Row>;
  /** Rows may have changed places in a way that cannot be detected. */
  isReordered: boolean;
  keyOfRow: (row: Row) => string | null;
  keyOfNode: (node: Json) => string | null;
  since?: string | null;
  until?: string | null;
  judgeRow: (node: Json, row: Row, faults: readonly Fault[], verdict: Verdict) => void;
}

/**
 * Judges all pages of a list as one answer: the rows on each page, and the total only if the list was read to its end. A total
 * that changes on the way is reported.
 */
export function judgeWalk<Row>({ pages, ended }: Walk, right: ExpectedList<Row>, verdict: Verdict): void {
  const { rows, isOrdered, moving, isReordered, keyOfRow: nameOf, keyOfNode: nameIn } = right;
  const found: Row[] = [];
  let drifted = false;
  for (const page of pages) {
    drifted ||= page.driftDetected;
    const start = found.length;
    if (page.nodes.length > page.first) verdict.wrong.push(`a page of ${page.first} has ${page.nodes.length} rows`);
    if (!drifted && page.hasPreviousPage !== start > 0)
      verdict.wrong.push(`hasPreviousPage is wrong after ${start} rows`);
    if (!drifted && page.hasNextPage && page.nodes.length < page.first)
      verdict.wrong.push("a page before the last is short");
    for (const end of ["since", "until"] as const) {
      if (right[end] !== undefined && page[end] !== right[end])
        verdict.wrong.push(`${end} is ${page[end]}, expected ${right[end]}`);
    }
    for (const [at, node] of page.nodes.entries()) {
      const row = findRow(node, start + at);
      if (row === undefined) {
        verdict.wrong.push(
          `row ${start + at} is ${nameIn(node)}, which does not belong ${rows.some((each) => nameOf(each) === nameIn(node)) ? "there" : "to the list"}`,
        );
        return;
      }
      if (!drifted && !isReordered && found.includes(row)) verdict.wrong.push(`${nameOf(row)} appears twice`);
      found.push(row);
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

  function findRow(node: Json, position: number): Row | undefined {
    if (isOrdered && !drifted && moving.size === 0) {
      const row = rows[position];
      return row !== undefined && nameOf(row) === nameIn(node) ? row : undefined;
    }
    return rows.find((row) => nameOf(row) === nameIn(node));
  }

  function judgeEnd(): void {
    const missing = rows.filter((row) => !moving.has(row) && !found.includes(row));
    if (missing.length > 0 && !isReordered)
      verdict.wrong.push(`${missing.length} of ${rows.length} rows are missing, such as ${nameOf(missing[0] as Row)}`);
    const totals = pages.flatMap(({ totalCount }) => totalCount ?? []);
    const last = totals.at(-1);
    if (new Set(totals).size > 1) verdict.reported.push("another total");
    if (last !== undefined && (last > rows.length || last < rows.length - moving.size))
      verdict.wrong.push(`totalCount is ${last}, expected ${rows.length}`);
  }
}
