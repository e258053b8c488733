// Judges the pages of the log of ended calls, and its statistics.
import { pageAt, walk, type Answer, type Walk } from "./gatewayClient.ts";
import { judgeFaults, judgeFields, judgeWalk, type ExpectedList, type Verdict } from "./judge.ts";
import { eventFields, eventsOf, statsOf } from "./oracle.ts";
import type { Question } from "./questions.ts";
import { EVENT, PAGE_INFO, STATS } from "./selections.ts";
import type { Json } from "./service.ts";
import type { TestBed } from "./examine.ts";
import type { Call } from "./world.ts";

const same = (call: Call) => call;

export async function judgeStats(
  { filter, bucket }: Extract<Question, { ask: "callStats" }>,
  { gateway, events, world, odd: { filteredCall = same } }: TestBed,
  verdict: Verdict,
): Promise<Answer> {
  const query = `query($filter: CallEndedFilter, $bucket: TimeBucket!) { callStats(filter: $filter) { ${STATS} } }`;
  const answer = await gateway.ask(query, { filter, bucket });
  const stats = answer.data?.["callStats"] as Json | null | undefined;
  if (!stats) judgeFaults(answer.errors, verdict);
  else
    judgeFields(
      stats,
      statsOf(eventsOf([...events.values()].map(filteredCall), filter), bucket, world.zone),
      answer.errors,
      verdict,
    );
  return answer;
}

export async function judgeEvents(
  { first, filter, order }: Extract<Question, { ask: "events" }>,
  { gateway, events, odd: { filteredCall = same, sendsRevisions, deliversInParallel } }: TestBed,
  verdict: Verdict,
): Promise<Walk> {
  const query = `query($first: Int!, $after: String, $filter: CallEndedFilter, $order: EventOrder!) {
    callEndedEvents(first: $first, after: $after, filter: $filter, order: $order) {
      ${PAGE_INFO} edges { cursor node { ${EVENT} } } } }`;
  const walked = await walk(
    async (many, after) =>
      pageAt(await gateway.ask(query, { first: many, after, filter, order }), ["callEndedEvents"], many),
    first,
  );
  const passing = new Set(eventsOf([...events.values()].map(filteredCall), filter).map(({ sessionId }) => sessionId));
  // A call passes a filter if any of its revisions does.
  const isAny = sendsRevisions === true && Object.keys(filter).length > 0;
  const rows = [...events.values()].filter(({ sessionId }) => isAny || passing.has(sessionId));
  const right: ExpectedList<Call> = {
    rows: order === "OLDEST_FIRST" ? rows : rows.toReversed(),
    isOrdered: !deliversInParallel,
    isReordered: false,
    moving: new Set(isAny ? rows : []),
    keyOfRow: ({ sessionId }) => sessionId,
    keyOfNode: ({ sessionId }) => sessionId as string | null,
    judgeRow: (node, call, faults, verdict) => {
      if (!sendsRevisions) judgeFields(node, eventFields(call), faults, verdict);
    },
  };
  judgeWalk(walked, right, verdict);
  return walked;
}
