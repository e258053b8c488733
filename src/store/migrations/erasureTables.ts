// What must not come back: keyed hashes of the calls and deliveries that were erased for a person's sake.
import type { Migration } from "./sqlDialect.ts";

export const forgotten: Migration = ({ text }) => [`create table forgotten (mark ${text} primary key)`];
