// The observers that the parts of the gateway report to: each call adds to a counter or a histogram. Without METRICS_PORT the
// parts get observers that do nothing.
import { eventSources } from "../../events/callEndedEvent.ts";
import { noEventObserver, appendOutcomes, type EventObserver } from "../../events/eventObserver.ts";
import {
  noSubscriptionObserver,
  subscriptionEnds,
  type SubscriptionObserver,
} from "../../graphql/subscriptions/subscriptionObserver.ts";
import { databaseNames, noStoreObserver, type StoreObserver } from "../../store/storeObserver.ts";
import { noUpstreamObserver, type UpstreamObserver } from "../../upstream/upstreamObserver.ts";
import {
  noServerObserver,
  operationKinds,
  transports,
  webhookOutcomes,
  webhookSecrets,
  type ServerObserver,
} from "../serverObserver.ts";
import type { Instruments } from "./instruments.ts";
import { noAlertObserver, type AlertObserver } from "../../alerts/alertObserver.ts";
import {
  deliveryOutcomes,
  noDestinationObserver,
  type DestinationContent,
  type DestinationObserver,
} from "../../destinations/observer.ts";
import { lossReasons } from "../../destinations/eventFinder.ts";
import { epochMsOf } from "../../format/instant.ts";

export interface Observers {
  server: ServerObserver;
  events: EventObserver;
  subscriptions: SubscriptionObserver;
  upstream: UpstreamObserver;
  store: StoreObserver;
  destinations: DestinationObserver;
  alerts: AlertObserver;
}

export const noObservers: Observers = {
  server: noServerObserver,
  events: noEventObserver,
  subscriptions: noSubscriptionObserver,
  upstream: noUpstreamObserver,
  store: noStoreObserver,
  destinations: noDestinationObserver,
  alerts: noAlertObserver,
};

/** `readers`, `destinations`: get the names of the durable readers and of the destinations. */
export function createObservers(
  instruments: Instruments,
  readers: Set<string>,
  destinations: Map<string, DestinationContent>,
): Observers {
  const { webhooks, webhookAuth, webhookSeconds, lastWebhook, operations, operationSeconds, notServed } = instruments;
  const { events, commitSeconds, commitEvents } = instruments;
  const { subscriptionsEnded, deliverySeconds, upstreamSeconds, upstreamTasks, databaseSeconds } = instruments;
  const { recordingsLost, destinationAttempts, destinationLost, alertLateCalls } = instruments;
  // The children are found once: a label is checked each time that it is given.
  const webhook = childrenOf(webhookOutcomes, (outcome) => webhookSeconds.labels({ outcome }));
  const operation = childrenOf(transports, (transport) =>
    childrenOf(operationKinds, (kind) => operationSeconds.labels({ transport, kind })),
  );
  const received = childrenOf(eventSources, (source) =>
    childrenOf(appendOutcomes, (outcome) => events.labels({ source: source.toLowerCase(), outcome })),
  );
  const ended = childrenOf(subscriptionEnds, (reason) => subscriptionsEnded.labels({ reason }));
  const database = childrenOf(databaseNames, (name) => databaseSeconds.labels({ database: name }));
  // Counters that begin at 0: a rate needs the value before the first event.
  for (const outcomes of Object.values(received)) for (const child of Object.values(outcomes)) child.inc(0);
  for (const child of Object.values(ended)) child.inc(0);
  for (const outcome of webhookOutcomes) webhooks.inc({ outcome }, 0);
  for (const secret of webhookSecrets) webhookAuth.inc({ secret }, 0);
  // Before the first webhook: the start, from which on none came.
  lastWebhook.setToCurrentTime();

  return {
    server: {
      operationRefused: (transport, code) => operations.inc({ transport, kind: "refused", code }),
      operationEnded(transport, kind, code, milliseconds) {
        operations.inc({ transport, kind, code });
        operation[transport][kind].observe(milliseconds / 1000);
      },
      queryUnchanged: () => operations.inc({ transport: "http", kind: "query", code: "NOT_MODIFIED" }),
      webhookAuthorized: (secret) => webhookAuth.inc({ secret }),
      webhookAnswered(outcome, milliseconds) {
        webhooks.inc({ outcome });
        webhook[outcome].observe(milliseconds / 1000);
        lastWebhook.setToCurrentTime();
      },
      webhookMisdirected: () => webhooks.inc({ outcome: "misdirected" }),
      rejected: (place, status) => notServed.inc({ place, status }),
    },
    events: {
      committed(deliveries, milliseconds) {
        commitSeconds.observe(milliseconds / 1000);
        commitEvents.observe(deliveries);
      },
      received: (source, outcome) => received[source][outcome].inc(),
      readerStarted: (reader) => void readers.add(reader),
      readerEnded: (reader) => void readers.delete(reader),
      recordingLost: () => recordingsLost.inc(),
    },
    subscriptions: {
      ended: (reason) => ended[reason].inc(),
      // The clocks of two gateways may differ a little.
      delivered: (receivedAt) => deliverySeconds.observe(Math.max(0, Date.now() - epochMsOf(receivedAt)) / 1000),
    },
    upstream: {
      requestEnded: ({ route, outcome, milliseconds }) =>
        upstreamSeconds.observe({ route, outcome }, milliseconds / 1000),
      tasksQueried: (tasks) => upstreamTasks.observe(tasks),
    },
    destinations: {
      attempted: (destination, outcome) => destinationAttempts.inc({ destination, outcome }),
      lost: (destination, reason, lost) => destinationLost.inc({ destination, reason }, lost),
      started(destination, gets) {
        destinations.set(destination, gets);
        for (const outcome of deliveryOutcomes) destinationAttempts.inc({ destination, outcome }, 0);
        for (const reason of lossReasons) destinationLost.inc({ destination, reason }, 0);
      },
      ended: (destination) => void destinations.delete(destination),
    },
    alerts: { late: (calls) => alertLateCalls.inc(calls) },
    store: { answered: (name, milliseconds) => database[name].observe(milliseconds / 1000) },
  };
}

function childrenOf<Value extends string, Child>(
  values: readonly Value[],
  childOf: (value: Value) => Child,
): Record<Value, Child> {
  return Object.fromEntries(values.map((value) => [value, childOf(value)])) as Record<Value, Child>;
}
