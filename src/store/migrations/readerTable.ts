// Version 2: where the readers of the log stand that outlive a process.
import type { Migration } from "./sqlDialect.ts";

export const readers: Migration = ({ text }) => [
  `create table readers (name ${text} primary key, cursor ${text} not null)`,
];
