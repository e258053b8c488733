// The spans of events: the commit, as a part of the webhook, and each delivery to subscribers. A delivery is a trace of its own
// that links to the commit, because one commit leads to any number of deliveries, also much later ones.
import type { SpanContext } from "@opentelemetry/api";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog, StreamItem } from "../events/eventLog.ts";
import type { Delivery, StartDelivery } from "../graphql/subscriptions/delivery.ts";
import { createBoundedCache } from "../util/boundedCache.ts";
import { endAfter, type Spans } from "./spans.ts";

/** Commits that were recorded: their deliveries are recorded too, on this gateway only. */
const MAX_COMMITS = 1000;

export interface EventTracing {
  events(events: EventLog): EventLog;
  startDelivery: StartDelivery;
}

export function createEventTracing(spans: Spans): EventTracing {
  /** By the session ID of the call. */
  const commits = createBoundedCache<string, SpanContext>({ maxEntries: MAX_COMMITS });
  const unrecorded: Delivery = { run: spans.outside, end: () => undefined };

  return {
    events: (events) => ({
      ...events,
      append(call, source, own) {
        const span = spans.startPart("commit event");
        if (!span) return events.append(call, source, own);
        // Before the commit, because a subscriber may get the event before it resolves.
        commits.set(call.sessionId, span.context);
        return endAfter(
          span,
          span
            .run(() => events.append(call, source, own))
            .then((outcome) => {
              span.set({ "switchboard.outcome": outcome });
              return outcome;
            }),
        );
      },
    }),
    startDelivery(rootValue) {
      const sessionId = sessionIdOf(rootValue);
      const link = sessionId === undefined ? undefined : commits.get(sessionId);
      return link ? spans.startTrace("deliver event", { kind: "PRODUCER", link }) : unrecorded;
    },
  };
}

/** Undefined: the subscription follows something else than events. */
function sessionIdOf(rootValue: unknown): string | undefined {
  if (typeof rootValue !== "object" || rootValue === null) return undefined;
  const item = rootValue as Partial<CallEndedEvent> | StreamItem;
  if ("kind" in item) return item.kind === "event" ? item.event.sessionId : undefined;
  return "revision" in item ? item.sessionId : undefined;
}
