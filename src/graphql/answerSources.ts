// Finds out what the answer of a query was made of, for server/graphql/httpCache.ts: it tells clients how long they may keep the
// answer. It also knows by it that the answer is unchanged, without running the query again.
import type { Context, KnownLoaders } from "../resolvers/context.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { Freshness } from "../util/freshness.ts";

/** What one execution read. It fills this in. */
export interface AnswerSources {
  /** The responses of the service that the answer is made of. */
  responses: Readonly<Freshness>[];
  /** The newest events of calls. Taken before the query runs. */
  events: Readonly<Freshness>;
  usesEvents: boolean;
  /** Today's date, where the answer depends on it. */
  today: Readonly<Freshness> | null;
  /** Whether it is made of anything else, such as statistics, of which nobody says when they change. */
  usesOthers: boolean;
}

export function createAnswerSources(events: Readonly<Freshness>): AnswerSources {
  return { responses: [], events, usesEvents: false, today: null, usesOthers: false };
}

/** How long all that the answer was made of stays fresh. Null: it may change at any time, or needs no response of the service. */
export function freshnessOf(sources: AnswerSources): readonly Readonly<Freshness>[] | null {
  const { responses, events, usesEvents, today, usesOthers } = sources;
  if (usesOthers || responses.length === 0) return null;
  return [...responses, ...(usesEvents ? [events] : []), ...(today ? [today] : [])];
}

/**
 * Members that change no answer, or not before its responses are stale. All members that are not named count as others, so that a
 * new one cannot be forgotten here.
 */
const UNCHANGING: ReadonlySet<PropertyKey> = new Set<keyof Context>([
  "viewer",
  "source",
  "loaders", // Their requester notes each response.
  "queryOwner",
  "named",
  "signer",
  "cursors",
  "slices",
  "serviceTimeZone",
  "clock", // Lists without a range are of today: see untilNextQuarter.
]);
const QUARTER_MS = 15 * MINUTE_MS;
/** Members of `known` that show the newest events. */
const OF_EVENTS: ReadonlySet<PropertyKey> = new Set<keyof KnownLoaders>(["headCursor", "newestEvent", "newestEvents"]);

/** The context, which notes in `sources` what resolvers use. */
export function trackSources(context: Context, sources: AnswerSources): Context {
  // Each row is looked up among the viewer's submissions, behind the context (resolvers/access). They may change at any time.
  if (context.viewer.access?.submittedBy !== undefined) sources.usesOthers = true;
  // An answer that is kept until the next event of any viewer would tell of it, so one with a hidden headCursor is not kept.
  const known = new Proxy(context.known, {
    get(target, name: keyof KnownLoaders) {
      if (name === "headCursor" && context.viewer.access) sources.usesOthers = true;
      else if (OF_EVENTS.has(name)) sources.usesEvents = true;
      else sources.usesOthers = true;
      return target[name];
    },
  });
  return new Proxy(context, {
    get(target, name: keyof Context) {
      if (name === "known") return known;
      if (name === "clock") sources.today ??= untilNextQuarter(target.clock());
      if (!UNCHANGING.has(name)) sources.usesOthers = true;
      return target[name];
    },
  });
}

/** In every time zone, days end at a full quarter of an hour of UTC. `now`: epoch milliseconds. */
function untilNextQuarter(now: number): Freshness {
  return { endsAt: performance.now() + QUARTER_MS - (now % QUARTER_MS) };
}
