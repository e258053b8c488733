// What is configured of the service's lists: what the doctor found out of their filters.

/** The filters of lists that a service may be without, by their names in the graph. */
export const filterNames = ["taskIds", "direction", "phone", "assistantIds", "kind"] as const;
export type FilterName = (typeof filterNames)[number];
/** The times of a call that a range may filter. */
export const rangeFields = ["startAt", "answerAt", "endAt"] as const;
export type RangeField = (typeof rangeFields)[number];

/** How the service answers lists, as the doctor finds it out. */
export interface ListsConfig {
  /** The time that a range filters; null: not known. */
  rangeField: RangeField | null;
  /** Filters that have no effect: a query with one of them is refused. */
  ignores: readonly FilterName[];
}
