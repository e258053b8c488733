// Answers to the questions of accessQuestions.ts, in a form that a rule can give, and how a question writes its input.

/**
 * A refusal is its code. Lists of calls are sorted by session. AS_NOTHING: whatever a row that does not exist gets, such as
 * QUERY_TOO_COMPLEX for a search of a busy range. UNCHECKED: the rule says nothing.
 */
export type Expected = { data: unknown } | { code: string };

export const AS_NOTHING: Expected = { code: "as nothing" };
export const UNCHECKED: Expected = { code: "unchecked" };

export const data = (value: unknown): Expected => ({ data: value });
export const refusal = (code: string): Expected => ({ code });
export const FORBIDDEN = refusal("FORBIDDEN");

/** The answer in the form of `Expected`. Lists of rows become sorted IDs. */
export function normalized(answer: { data?: unknown; errors?: readonly { extensions?: Record<string, unknown> }[] }) {
  const [error] = answer.errors ?? [];
  if (error) return { code: error.extensions?.["code"] };
  const whole = answer.data as Record<string, Record<string, unknown> | null>;
  for (const list of [whole["callEndedEvents"], whole["callLogs"]]) {
    if (!list) continue;
    const ids = (list["nodes"] as { sessionId: string }[]).map(({ sessionId }) => sessionId).toSorted();
    // A wrong total must not pass as a right list.
    return { data: "totalCount" in list && list["totalCount"] !== ids.length ? list : ids };
  }
  const alerts = whole["alerts"];
  if (alerts) return { data: (alerts["nodes"] as { id: string }[]).map(({ id }) => id).toSorted() };
  const tasks = whole["tasks"];
  if (tasks) {
    const edges = tasks["edges"] as { node: { taskId: string } }[];
    return { data: edges.map(({ node }) => node.taskId).toSorted() };
  }
  const submissions = whole["taskSubmissions"];
  if (submissions) return { data: (submissions["nodes"] as { id: string }[]).map(({ id }) => id).toSorted() };
  return { data: whole };
}

/** As GraphQL writes it. */
export const object = (value: object) =>
  `{ ${Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name}: ${JSON.stringify(part)}`)
    .join(", ")} }`;
