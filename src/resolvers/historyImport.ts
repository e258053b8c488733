// Imports of earlier calls (history/).
import { epochMsOf, type Instant } from "../format/instant.ts";
import type { HistoryImport } from "../store/events/historyImportStore.ts";
import { SECOND_MS } from "../util/durations.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";

export interface ImportHistoryResult {
  import: HistoryImport;
  isNew: boolean;
}

export async function importHistory(
  { since, until }: { since: Instant; until?: Instant | null | undefined },
  { historyImports, viewer }: Context,
): Promise<ImportHistoryResult> {
  if (until != null && since >= until) throw badInput("since must be before until.");
  const started = await historyImports.start({ since, until: until ?? null, actor: viewer.name });
  if (started !== "empty") return started;
  throw badInput("since must be earlier: the gateway finds the calls from then on by itself.");
}

export function latestImport({ historyImports, queryOwner, queuedRead }: Context): Promise<HistoryImport | null> {
  return queuedRead(queryOwner, ["history import"], () => historyImports.latest());
}

export function progressOf({ keptSince, until, readThrough }: HistoryImport): number {
  const whole = epochMsOf(until) - epochMsOf(keptSince);
  return whole <= 0 ? 1 : Math.min(1, (epochMsOf(readThrough) - epochMsOf(keptSince)) / whole);
}

/** Null for an import that does not run, for one that waits, and for one that has read nothing. `now`: epoch milliseconds. */
export function secondsLeftOf(own: HistoryImport, now: number): number | null {
  const progress = progressOf(own);
  if (own.state !== "RUNNING" || own.problem !== null || progress === 0) return null;
  const passed = Math.max(0, now - epochMsOf(own.startedAt));
  return Math.round((passed * (1 - progress)) / progress / SECOND_MS);
}
