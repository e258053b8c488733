// What the metrics learn of the log of ended calls.
import type { EventStore } from "../store/events/eventStore.ts";
import type { EventSource } from "./callEndedEvent.ts";
import type { Delivery } from "./reviseCall.ts";

export const appendOutcomes = ["appended", "revised", "known"] as const;
export type AppendOutcome = (typeof appendOutcomes)[number];

export interface EventObserver {
  /** A transaction has written this many deliveries. */
  committed(deliveries: number, milliseconds: number): void;
  /** Called for each delivery that was committed. */
  received(source: EventSource, outcome: AppendOutcome): void;
  /** A durable reader runs on this gateway, or on another one that shares the database. */
  readerStarted(reader: string): void;
  /** It is not needed any more, on any gateway. */
  readerEnded(reader: string): void;
  /** This gateway gave up a recording. */
  recordingLost(): void;
}

export const noEventObserver: EventObserver = {
  committed: () => undefined,
  received: () => undefined,
  readerStarted: () => undefined,
  readerEnded: () => undefined,
  recordingLost: () => undefined,
};

/** The same store, whose commits are reported. They are of deliveries. */
export function observeCommits(store: EventStore, observer: EventObserver): EventStore {
  if (observer === noEventObserver) return store;
  return {
    ...store,
    async append(deliveries, revise) {
      const startedAt = performance.now();
      const rows = await store.append(deliveries, revise);
      observer.committed(deliveries.length, performance.now() - startedAt);
      rows.forEach((row, index) => {
        const { source } = deliveries[index] as unknown as Delivery;
        if (row === null) observer.received(source, "known");
        else observer.received(source, row.revision === 1 ? "appended" : "revised");
      });
      return rows;
    },
  };
}
