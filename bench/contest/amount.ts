// How much `npm run bench:peers` measures: everything, or a quick run that shows whether everything still works.

export interface Amount {
  rounds: number;
  /** Duration of the load in each round, and of the warm-up before it. */
  ms: number;
  warmMs: number;
  /** The part of the warm-up of queries that is measured as the cold process. */
  coldMs: number;
  /** Delays of the service in milliseconds. */
  latencies: readonly number[];
  subscribers: readonly number[];
  /** Approximate number of deliveries to all subscribers together in each round. */
  deliveries: number;
  lists: readonly number[];
  tasks: readonly number[];
  growingSubscribers: readonly number[];
  events: readonly number[];
}

export const fullAmount: Amount = {
  rounds: 5,
  ms: 1200,
  warmMs: 10_000,
  coldMs: 1000,
  latencies: [0, 20],
  subscribers: [1000, 5000, 10_000],
  deliveries: 100_000,
  lists: [10, 20, 50, 100],
  tasks: [1, 3, 10, 30, 100],
  growingSubscribers: [1, 10, 100, 1000, 10_000],
  events: [1000, 10_000, 100_000, 1_000_000],
};

export const shortAmount: Amount = {
  rounds: 1,
  ms: 400,
  warmMs: 300,
  coldMs: 200,
  latencies: [0],
  subscribers: [200],
  deliveries: 4000,
  lists: [10, 100],
  tasks: [1, 100],
  growingSubscribers: [1, 100],
  events: [100, 1000],
};
