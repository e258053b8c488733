// Asks for the baseline's range with one filter after another.
import type { Asker, Look } from "./gentleClient.ts";
import type { Baseline } from "./baseline.ts";
import {
  assistantIds,
  filterFinding,
  judge,
  judgeByBoth,
  judgeByNone,
  styles,
  type Expectation,
  type Style,
} from "./filters.ts";
import { undetermined, type Finding, type Question } from "./finding.ts";
import type { SeenRow } from "./observed.ts";

interface Plan {
  question: Question;
  filter: string;
  expected: Expectation;
}

const QUESTIONS = ["assistantIds", "direction", "taskId", "severalTaskIds", "phone", "description"] as const;
/** In no country's plan of numbers. */
const NOBODYS_NUMBER = "10000900009";

export async function probeFilters(ask: Asker, baseline: Baseline | null): Promise<Finding[]> {
  if (!baseline) return QUESTIONS.map((question) => undetermined(question, "No range of calls could be read whole."));
  const { range, rows } = baseline;
  const list = (filter: string) => ask.list({ range, filters: [filter] });

  const looks = new Map<Plan, Look>();
  for (const plan of plansOf(rows)) looks.set(plan, await list(plan.filter));
  const pair = pairOf(rows, ({ assistantIds }) => assistantIds);
  const byStyle = new Map<Style, Look>();
  if (pair) for (const style of styles) byStyle.set(style, await list(written(style, pair)));
  const byPhone = await list(`phone=${NOBODYS_NUMBER}`);
  const byKind: [Look, Look] = [await list("description=phone"), await list("description=privateTest")];
  const after = await ask.list({ range });
  const isStill = after.page?.total === rows.length;

  const verdicts = Object.fromEntries(
    styles.map((style) => [
      style,
      judge(
        byStyle.get(style),
        listExpectation(rows, pair, ({ assistantIds }) => assistantIds),
      ),
    ]),
  ) as Record<Style, ReturnType<typeof judge>>;
  const found = new Map<Question, Finding>([
    ["assistantIds", assistantIds(verdicts, rows, isStill)],
    ["phone", filterFinding("phone", judgeByNone(byPhone, rows), rows, isStill)],
    ["description", filterFinding("description", judgeByBoth(byKind, rows), rows, isStill)],
  ]);
  for (const [{ question, expected }, look] of looks) {
    found.set(question, filterFinding(question, judge(look, expected), rows, isStill));
  }
  return QUESTIONS.map(
    (question) => found.get(question) ?? undetermined(question, `${rows.length} calls are too much alike to tell.`),
  );
}

function plansOf(rows: readonly SeenRow[]): Plan[] {
  const plans: Plan[] = [];
  const direction = partOf(rows, (row) => (row.direction === null ? [] : [row.direction]));
  if (direction !== null) {
    const meant = (row: SeenRow) => row.direction === direction;
    plans.push({ question: "direction", filter: `direction=${direction}`, expected: { all: rows, meant } });
  }
  const task = partOf(rows, tasksOf);
  if (task !== null) {
    const meant = (row: SeenRow) => row.taskId === task;
    plans.push({ question: "taskId", filter: `taskId=${task}`, expected: { all: rows, meant } });
  }
  const tasks = pairOf(rows, tasksOf);
  if (tasks) {
    const expected = listExpectation(rows, tasks, tasksOf);
    plans.push({ question: "severalTaskIds", filter: `taskId=${tasks.join(",")}`, expected });
  }
  return plans;
}

const tasksOf = ({ taskId }: SeenRow) => (taskId === null ? [] : [taskId]);

function listExpectation(
  all: readonly SeenRow[],
  pair: readonly string[] | null,
  idsOf: (row: SeenRow) => readonly string[],
): Expectation {
  const has = (values: readonly string[]) => (row: SeenRow) => idsOf(row).some((id) => values.includes(id));
  return { all, meant: has(pair ?? []), first: has(pair?.slice(0, 1) ?? []) };
}

/** A value that some rows have, and some have not. */
function partOf(rows: readonly SeenRow[], valuesOf: (row: SeenRow) => readonly string[]): string | null {
  return (
    [...new Set(rows.flatMap(valuesOf))].find((value) => !rows.every((row) => valuesOf(row).includes(value))) ?? null
  );
}

/** Two values that each add rows, while some rows have neither. */
function pairOf(rows: readonly SeenRow[], valuesOf: (row: SeenRow) => readonly string[]): [string, string] | null {
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

function written(style: Style, ids: readonly string[]): string {
  if (style === "comma") return `assistantIds=${ids.join(",")}`;
  return ids.map((id) => `${style === "brackets" ? "assistantIds%5B%5D" : "assistantIds"}=${id}`).join("&");
}
