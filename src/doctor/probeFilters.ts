// Reads one past range completely (the baseline), and then once with each filter.
import { undetermined, type Finding, type Question } from "./finding.ts";
import {
  encodings,
  filterFinding,
  judgeAssistantIds,
  judgeFilter,
  judgeOppositeValues,
  judgeUnmatchedValue,
  type Expectation,
  type ListEncoding,
} from "./judgeFilters.ts";
import type { ObservedPage, ObservedRow } from "./observe.ts";
import type { ListResult, ProbeClient, Range } from "./probeClient.ts";
import { uniqueRows } from "./survey.ts";
import { UNUSED_NUMBER } from "../upstream/unusedValues.ts";

/** A past range and all of its rows. */
export interface Baseline {
  range: Range;
  rows: ObservedRow[];
}

interface FilterProbe {
  question: Question;
  filter: string;
  expected: Expectation;
}

const QUESTIONS = ["assistantIds", "direction", "taskId", "severalTaskIds", "phone", "description"] as const;

export async function probeFilters(client: ProbeClient, baseline: Baseline | null): Promise<Finding[]> {
  if (!baseline)
    return QUESTIONS.map((question) => undetermined(question, "No range of calls could be read completely."));
  const { range, rows } = baseline;
  const list = (filter: string) => client.listCalls({ range, filters: [filter] });

  const results = new Map<FilterProbe, ListResult>();
  for (const probe of filterProbes(rows)) results.set(probe, await list(probe.filter));
  const pair = pickPair(rows, ({ assistantIds }) => assistantIds);
  const byEncoding = new Map<ListEncoding, ListResult>();
  if (pair) for (const encoding of encodings) byEncoding.set(encoding, await list(encodeAssistantIds(encoding, pair)));
  const byPhone = await list(`phone=${UNUSED_NUMBER}`);
  const byKind: [ListResult, ListResult] = [await list("description=phone"), await list("description=privateTest")];
  const after = await client.listCalls({ range });
  const isStable = after.page?.total === rows.length;

  const expectedAssistants = listExpectation(rows, pair, ({ assistantIds }) => assistantIds);
  const verdicts = Object.fromEntries(
    encodings.map((encoding) => [encoding, judgeFilter(byEncoding.get(encoding), expectedAssistants)]),
  ) as Record<ListEncoding, ReturnType<typeof judgeFilter>>;
  const findings = new Map<Question, Finding>([
    ["assistantIds", judgeAssistantIds(verdicts, rows, isStable)],
    ["phone", filterFinding("phone", judgeUnmatchedValue(byPhone, rows), rows, isStable)],
    ["description", filterFinding("description", judgeOppositeValues(byKind, rows), rows, isStable)],
  ]);
  for (const [{ question, expected }, result] of results) {
    findings.set(question, filterFinding(question, judgeFilter(result, expected), rows, isStable));
  }
  return QUESTIONS.map(
    (question) => findings.get(question) ?? undetermined(question, `${rows.length} calls are too similar to tell.`),
  );
}

/** One request each for direction, one task, and two tasks, as far as the rows differ. */
function filterProbes(rows: readonly ObservedRow[]): FilterProbe[] {
  const probes: FilterProbe[] = [];
  const direction = pickDistinctive(rows, (row) => (row.direction === null ? [] : [row.direction]));
  if (direction !== null) {
    const matches = (row: ObservedRow) => row.direction === direction;
    probes.push({ question: "direction", filter: `direction=${direction}`, expected: { all: rows, matches } });
  }
  const task = pickDistinctive(rows, taskIdsOf);
  if (task !== null) {
    const matches = (row: ObservedRow) => row.taskId === task;
    probes.push({ question: "taskId", filter: `taskId=${task}`, expected: { all: rows, matches } });
  }
  const tasks = pickPair(rows, taskIdsOf);
  if (tasks) {
    const expected = listExpectation(rows, tasks, taskIdsOf);
    probes.push({ question: "severalTaskIds", filter: `taskId=${tasks.join(",")}`, expected });
  }
  return probes;
}

const taskIdsOf = ({ taskId }: ObservedRow) => (taskId === null ? [] : [taskId]);

function listExpectation(
  all: readonly ObservedRow[],
  pair: readonly string[] | null,
  idsOf: (row: ObservedRow) => readonly string[],
): Expectation {
  const has = (values: readonly string[]) => (row: ObservedRow) => idsOf(row).some((id) => values.includes(id));
  return { all, matches: has(pair ?? []), matchesFirst: has(pair?.slice(0, 1) ?? []) };
}

/** A value that some rows have and some do not. */
function pickDistinctive(
  rows: readonly ObservedRow[],
  valuesOf: (row: ObservedRow) => readonly string[],
): string | null {
  const values = [...new Set(rows.flatMap(valuesOf))];
  return values.find((value) => !rows.every((row) => valuesOf(row).includes(value))) ?? null;
}

/** Two values that each match rows the other does not, while some rows match neither. */
function pickPair(
  rows: readonly ObservedRow[],
  valuesOf: (row: ObservedRow) => readonly string[],
): [string, string] | null {
  const values = [...new Set(rows.flatMap(valuesOf))];
  const count = (some: readonly string[]) => rows.filter((row) => valuesOf(row).some((id) => some.includes(id))).length;
  for (const [at, a] of values.entries()) {
    const b = values.slice(at + 1).find((each) => {
      const both = count([a, each]);
      return both < rows.length && both > count([a]) && both > count([each]);
    });
    if (b !== undefined) return [a, b];
  }
  return null;
}

function encodeAssistantIds(encoding: ListEncoding, ids: readonly string[]): string {
  if (encoding === "comma") return `assistantIds=${ids.join(",")}`;
  return ids.map((id) => `${encoding === "brackets" ? "assistantIds%5B%5D" : "assistantIds"}=${id}`).join("&");
}

const MAX_BASELINE_ROWS = 40;
const MAX_PAGES = 3;
/** A service that ignores ranges and page sizes returns everything it has. */
const MAX_BASELINE_TOTAL = 300;
const MAX_TRIES = 4;

/**
 * Reads a range with enough different calls, and few enough to read all. Null: there is no such range.
 *
 * @param offset from the rows' times to the wall clock, ms.
 */
export async function readBaseline(
  client: ProbeClient,
  rows: readonly ObservedRow[],
  offset: number,
  pageSize: number,
): Promise<Baseline | null> {
  const size = Math.min(MAX_BASELINE_ROWS, Math.max(4, pageSize * 2));
  let range = pickRange(rows, offset, size);
  for (let tries = 0; range && tries < MAX_TRIES; tries += 1) {
    const { page } = await client.listCalls({ range });
    if (page === null) return null;
    if (page.total <= Math.min(page.rows.length * MAX_PAGES, MAX_BASELINE_TOTAL))
      return readOtherPages(client, range, page);
    // In a long list that is not ordered by time, the rows of the survey lie far apart: a part of the range is enough.
    range = narrow(range, (size * 0.7) / page.total);
  }
  return null;
}

async function readOtherPages(client: ProbeClient, range: Range, first: ObservedPage): Promise<Baseline | null> {
  const received = [...first.rows];
  for (let pageIndex = 2; uniqueRows(received).length < first.total && pageIndex <= MAX_PAGES; pageIndex += 1) {
    const { page } = await client.listCalls({ range, pageIndex });
    if (page === null) return null;
    received.push(...page.rows);
  }
  const rows = uniqueRows(received);
  return rows.length === first.total ? { range, rows } : null;
}

/** Starts at the middle, where calls are more likely than at the ends. */
function narrow({ from, to }: Range, share: number): Range {
  const width = Math.floor(((to - from) * share) / 1000) * 1000;
  const middle = from + Math.floor((to - from) / 2000) * 1000;
  return { from: middle, to: middle + width };
}

/** The range around the `size` consecutive ended calls with the most different assistants, tasks and directions. */
function pickRange(rows: readonly ObservedRow[], offset: number, size: number): Range | null {
  const ended = rows
    .filter(({ times }) => times.startAt.ms !== null && times.endAt.ms !== null)
    .toSorted((a, b) => startOf(a) - startOf(b));
  const runs = Array.from({ length: Math.max(1, ended.length - size + 1) }, (_, at) => ended.slice(at, at + size));
  const best = runs.reduce((a, b) => (variety(b) > variety(a) ? b : a));
  const [first, last] = [best[0], best.at(-1)];
  if (!first || !last || best.length < 2) return null;
  const ends = best.map(({ times }) => times.endAt.ms ?? 0);
  const wallSecond = (ms: number) => Math.floor((ms + offset) / 1000) * 1000;
  return { from: wallSecond(startOf(first)) - 2000, to: wallSecond(Math.max(...ends)) + 2000 };
}

function variety(rows: readonly ObservedRow[]): number {
  const assistants = new Set(rows.flatMap(({ assistantIds }) => assistantIds));
  const tasks = new Set(rows.map(({ taskId }) => taskId));
  const directions = new Set(rows.map(({ direction }) => direction));
  return assistants.size + tasks.size + directions.size;
}

const startOf = ({ times }: ObservedRow) => times.startAt.ms ?? 0;
