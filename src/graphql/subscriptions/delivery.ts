// The way of one event to the subscribers of a group, or to one that reads by itself: its execution, and the writing of its result.

export interface Delivery {
  /** Executes the operation for the event. */
  run<T>(execute: () => T): T;
  /** Called when the result was written to all subscribers that could take it. */
  end(): void;
}

/** Called with the root value of an event's execution. */
export type StartDelivery = (rootValue: unknown) => Delivery;

/** A delivery that nobody observes. */
export const notTraced: Delivery = { run: (execute) => execute(), end: () => undefined };
