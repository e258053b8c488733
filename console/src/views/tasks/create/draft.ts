// The form of a new task, kept in the tab (sessionStorage) so that a reload loses nothing and sends nothing twice. The browser
// drops it with the tab; the page drops it when the outcome is known or somebody signs out. Numbers and names of people stand
// in an entry of their own: a list that is too long for the storage is not kept, and the idempotency key always is.
import { NUMBERS_ENTRY } from "../../../session/numbersEntry.ts";
import { tabStorage } from "../../../session/tabStorage.ts";
import type { TableChoice } from "../../../../../src/format/tables/tableShape.ts";

export interface Fields {
  name: string;
  assistantId: string;
  lineIds: readonly string[];
  startDate: string;
  periods: readonly { from: string; until: string }[];
  retryCount: string;
  retryMinutes: string;
  choice: TableChoice;
  /** The task whose people are called again, in the place of a table. */
  from?: AgainSource | null;
}

export interface AgainSource {
  taskId: string;
  name: string;
}

/** What of an earlier plan the form does not have, or has otherwise. */
export type CopyLoss =
  /** As the plan has them. */
  | { of: "periods"; text: string }
  | { of: "seconds"; seconds: number }
  | { of: "interval" | "assistantOverride" | "skipDoNotCall" };

export interface Draft {
  fields: Fields;
  /** Since the first sending, until its outcome is known. Nothing else gets another key meanwhile. */
  key: string | null;
  /** The task whose plan was copied, until the page is loaded again. */
  copied?: { from: string; losses: readonly CopyLoss[] };
}

/** Everything as it looks. */
export const NO_CHOICE: TableChoice = { separator: null, headRow: null, columns: {} };

const ENTRY = "switchboard-new-task";

/** Null where this viewer keeps none. */
export function readDraft(viewer: string): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(ENTRY) ?? "null") as (Draft & { viewer: string }) | null;
    if (kept?.viewer !== viewer) return null;
    // An earlier version of the page kept other choices.
    const choice = "separator" in kept.fields.choice ? kept.fields.choice : NO_CHOICE;
    const copied = Array.isArray(kept.copied?.losses) ? { copied: kept.copied } : {};
    return { key: kept.key, fields: { ...kept.fields, choice }, ...copied };
  } catch {
    return null;
  }
}

export const readNumbers = (): string => tabStorage()?.getItem(NUMBERS_ENTRY) ?? "";

/** Throws where the browser refuses to keep it: then nothing may be sent. */
export function keepDraft(viewer: string, draft: Draft): void {
  sessionStorage.setItem(ENTRY, JSON.stringify({ viewer, ...draft }));
}

/** Returns whether a reload will find them. */
export function keepNumbers(text: string): boolean {
  try {
    sessionStorage.setItem(NUMBERS_ENTRY, text);
    return true;
  } catch {
    tabStorage()?.removeItem(NUMBERS_ENTRY);
    return false;
  }
}

export function dropDraft(): void {
  tabStorage()?.removeItem(ENTRY);
  tabStorage()?.removeItem(NUMBERS_ENTRY);
}

export function emptyFields(timeZone: string): Fields {
  return {
    name: "",
    assistantId: "",
    lineIds: [],
    startDate: todayIn(timeZone),
    periods: [{ from: "09:00", until: "18:00" }],
    retryCount: "1",
    retryMinutes: "10",
    choice: NO_CHOICE,
  };
}

/** As the service writes a day: the format of Sweden is 2026-11-20. */
export const todayIn = (timeZone: string): string => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());

/** 128 random bits. crypto.randomUUID is missing on pages without HTTPS. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
