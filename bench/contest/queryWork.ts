// The queries for all servers: the same texts, with a different day for each connection.
import { rangeOf, type Range } from "../support/ranges.ts";

export interface QueryWork {
  title: string;
  text: string;
  /** Number of calls in the list, and of tasks selected with them. */
  calls: number;
  tasks: number;
}

const list = (first: number, fields: string) =>
  `query ($since: DateTime!, $until: DateTime!) { callLogs(first: ${first}, filter: { since: $since, until: $until }) { totalCount nodes { ${fields} } } }`;
const SOME = "sessionId direction caller callee startAt endAt duration answered";
const ALL = `taskId answerAt billsec recordFile assistants { assistantId versionId } ${SOME}`;

export const queryWorks = {
  typename: { title: "{ __typename }", text: "{ __typename }", calls: 0, tasks: 0 },
  q1: { title: "Q1: 10 calls", text: list(10, SOME), calls: 10, tasks: 0 },
  q2: {
    title: "Q2: 50 calls, 9 tasks",
    text: list(50, `${SOME} task { taskId name status progress }`),
    calls: 50,
    tasks: 9,
  },
  q3: { title: "Q3: 100 calls, all fields", text: list(100, ALL), calls: 100, tasks: 0 },
} satisfies Record<string, QueryWork>;

/** A query for a list of `calls` calls, which belong to this number of tasks. */
export function listWork(calls: number, tasks: number): QueryWork {
  return {
    title: `${calls} calls, ${tasks} tasks`,
    text: list(calls, tasks > 0 ? `${SOME} task { taskId name }` : SOME),
    calls,
    tasks,
  };
}

/** `day` starts at 0. Different days share neither lists nor tasks. */
export function bodyOf(work: QueryWork, day: number): { query: string; variables?: Range } {
  if (work.calls === 0) return { query: work.text };
  return { query: work.text, variables: rangeOf(day, work.tasks || 1) };
}
