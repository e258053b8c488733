// The few words in which the two databases differ, for the statements of migrations.
import type { DatabaseKind } from "../database.ts";

export const words = {
  sqlite: {
    serial: "integer primary key autoincrement",
    text: "text",
    bigint: "integer",
    double: "real",
    bytes: "blob",
  },
  postgres: {
    serial: "bigint generated always as identity primary key",
    text: 'text collate "C"',
    bigint: "bigint",
    double: "double precision",
    bytes: "bytea",
  },
} as const;

export type Words = (typeof words)[DatabaseKind];

/** The statements of one schema version. Text columns sort by code unit in both databases. */
export type Migration = (words: Words) => readonly string[];
