// Services that read startTime and endTime in their own way.
import type { Selection } from "../selectCalls.ts";
import { json } from "../service.ts";
import type { OddService } from "../examine.ts";
import { DAY, HOUR, type Call } from "../world.ts";

/** Two hours for clocks that are set back, one for rows that are written late (docs/queries.md), and a few seconds. */
const SINCE_SLACK = 3 * HOUR;
const UNTIL_SLACK = 10_000;
const latestOf = ({ startAt, answerAt, endAt }: Call) => Math.max(startAt, answerAt ?? 0, endAt ?? Infinity);
const sinceSlack = (call: Call, { since }: Selection) => latestOf(call) >= since - SINCE_SLACK;
const untilSlack = (call: Call, { until }: Selection) => call.startAt <= until + UNTIL_SLACK;
const anytime = (asked: Selection) => ({ ...asked, since: -Infinity });
const forever = (asked: Selection) => ({ ...asked, until: Infinity });
const dayOf = (epochMs: number) => Math.floor((epochMs + 8 * HOUR) / DAY) * DAY - 8 * HOUR;

export const ranges: readonly OddService[] = [
  {
    name: "ignores startTime",
    oddity: { readQuery: (asked) => ({ ...asked, since: -Infinity }) },
    tolerance: { understood: anytime, allows: sinceSlack },
    affects: ["since"],
  },
  {
    name: "ignores startTime, and is known to filter by startAt",
    oddity: { readQuery: (asked) => ({ ...asked, since: -Infinity }) },
    env: { UPSTREAM_RANGE_FIELD: "startAt" },
    tolerance: { understood: anytime, allows: (call, { since }) => call.startAt >= since - UNTIL_SLACK },
    affects: ["since"],
  },
  {
    name: "ignores endTime, and is known to filter by endAt",
    oddity: { readQuery: (asked) => ({ ...asked, until: Infinity }) },
    semantics: { rangeBy: "endAt" },
    env: { UPSTREAM_RANGE_FIELD: "endAt" },
    tolerance: {
      understood: forever,
      allows: (call, { until }) => call.endAt !== null && call.endAt <= until + UNTIL_SLACK,
    },
    affects: ["until"],
  },
  {
    name: "ignores endTime",
    oddity: { readQuery: (asked) => ({ ...asked, until: Infinity }) },
    tolerance: { understood: forever, allows: untilSlack },
    affects: ["until"],
  },
  {
    name: "reads only the day of endTime, to its end",
    oddity: { readQuery: (asked) => ({ ...asked, until: dayOf(asked.until) + DAY - 1000 }) },
    tolerance: { understood: (asked) => ({ ...asked, until: dayOf(asked.until) + DAY - 1000 }), allows: untilSlack },
    affects: ["until"],
  },
  {
    name: "reads only the day of startTime, from its beginning",
    oddity: { readQuery: (asked) => ({ ...asked, since: dayOf(asked.since) }) },
    tolerance: { understood: (asked) => ({ ...asked, since: dayOf(asked.since) }), allows: sinceSlack },
    affects: ["since"],
  },
  {
    name: "reads startTime and endTime in UTC",
    oddity: { readQuery: (asked) => ({ ...asked, since: asked.since + 8 * HOUR, until: asked.until + 8 * HOUR }) },
    tolerance: {
      understood: (asked) => ({ ...asked, since: asked.since + 8 * HOUR, until: asked.until + 8 * HOUR }),
      allows: untilSlack,
    },
    affects: ["since", "until"],
  },
  {
    name: "answers with the whole list where the range is longer than two days",
    oddity: {
      readQuery: (asked) =>
        asked.until - asked.since > 2 * DAY ? { ...asked, since: -Infinity, until: Infinity } : asked,
    },
    tolerance: {
      understood: (asked) =>
        asked.until - asked.since > 2 * DAY ? { ...asked, since: -Infinity, until: Infinity } : asked,
      allows: (call, asked) => sinceSlack(call, asked) && untilSlack(call, asked),
    },
    affects: ["since", "until"],
    extraQuestions: ({ now }) => [
      {
        ask: "callLogs",
        first: 100,
        filter: { since: new Date(now - 3 * DAY).toISOString(), until: new Date(now - DAY / 2).toISOString() },
        jump: 0,
        joined: false,
      },
    ],
  },
  {
    name: "refuses ranges of more than three days",
    oddity: {
      writeList: ({ query: asked, body }) =>
        asked.until - asked.since > 3 * DAY ? json({ code: 40001, msg: "range" }, 400) : body,
    },
    affects: ["since", "until"],
  },
];
