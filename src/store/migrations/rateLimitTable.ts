// Version 8: what callers have spent of their rates, over all gateways. Nothing is lost that a crash takes of it.
import type { Migration } from "./sqlDialect.ts";

export const spentPoints: Migration = ({ text, bigint, forgettable }) => [
  `create ${forgettable} table spent_points (key ${text} primary key, points integer not null, expire ${bigint})`,
];
