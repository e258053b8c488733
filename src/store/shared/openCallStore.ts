// The state of reconciliation, which all gateways share: how far the call log was searched, and the calls that were still in
// progress then.
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

export interface OpenCall {
  sessionId: string;
  startAt: string;
}

/** Times of the gateway's clock. */
export interface SearchState {
  /** The call log was searched up to this time. Null: never. */
  searchedThrough: string | null;
  /** When the last search ended, successfully or not. */
  lastSearch: string | null;
  /** When the last complete search ended: no request failed, and the pages added up. */
  lastComplete: string | null;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface OpenCallStore {
  searchState(): Promise<SearchState>;
  saveSearchState(state: Partial<SearchState>): Promise<void>;
  /** The calls of which the log has no end. */
  findWithoutEvent(sessionIds: readonly string[]): Promise<Set<string>>;
  /** Those of these calls that are stored. */
  findOpen(sessionIds: readonly string[]): Promise<string[]>;
  /** Does not change calls that are stored already. */
  add(calls: readonly OpenCall[]): Promise<void>;
  delete(sessionIds: readonly string[]): Promise<void>;
  /** The stored calls, earliest first. Deletes calls that have an event by now. */
  openCalls(): Promise<OpenCall[]>;
}

const names = {
  searchedThrough: "reconcile_searched_through",
  lastSearch: "reconcile_last_search",
  lastComplete: "reconcile_last_complete",
} as const;

export function createOpenCallStore({ db }: Database): OpenCallStore {
  return {
    searchState: () =>
      guarded(async () => {
        const rows = await db.selectFrom("settings").selectAll().where("name", "in", Object.values(names)).execute();
        const stored = new Map(rows.map(({ name, value }) => [name, value]));
        const valueOf = (name: string) => stored.get(name) ?? null;
        return {
          searchedThrough: valueOf(names.searchedThrough),
          lastSearch: valueOf(names.lastSearch),
          lastComplete: valueOf(names.lastComplete),
        };
      }),
    saveSearchState: (state) =>
      guarded(async () => {
        const values = Object.entries(names).flatMap(([key, name]) => {
          const value = state[key as keyof SearchState];
          return value == null ? [] : [{ name, value }];
        });
        await db
          .insertInto("settings")
          .values(values)
          .onConflict((conflict) => conflict.column("name").doUpdateSet((eb) => ({ value: eb.ref("excluded.value") })))
          .execute();
      }),
    findWithoutEvent: (sessionIds) =>
      guarded(async () => {
        const without = new Set(sessionIds);
        if (without.size === 0) return without;
        const withEvent = await db
          .selectFrom("events")
          .select("session_id")
          .where("session_id", "in", [...without])
          .where("newest", "=", 1)
          .execute();
        for (const { session_id } of withEvent) without.delete(session_id);
        return without;
      }),
    findOpen: (sessionIds) =>
      guarded(async () => {
        if (sessionIds.length === 0) return [];
        const open = db.selectFrom("open_calls").select("session_id").where("session_id", "in", sessionIds);
        return (await open.execute()).map(({ session_id }) => session_id);
      }),
    add: (calls) =>
      guarded(async () => {
        if (calls.length === 0) return;
        await db
          .insertInto("open_calls")
          .values(calls.map(({ sessionId, startAt }) => ({ session_id: sessionId, start_at: startAt })))
          .onConflict((conflict) => conflict.column("session_id").doNothing())
          .execute();
      }),
    delete: (sessionIds) =>
      guarded(async () => {
        if (sessionIds.length === 0) return;
        await db.deleteFrom("open_calls").where("session_id", "in", sessionIds).execute();
      }),
    openCalls: () =>
      guarded(async () => {
        await db
          .deleteFrom("open_calls")
          .where((eb) =>
            eb.exists(
              eb
                .selectFrom("events")
                .select("seq")
                .whereRef("events.session_id", "=", "open_calls.session_id")
                .where("newest", "=", 1),
            ),
          )
          .execute();
        const rows = await db.selectFrom("open_calls").selectAll().orderBy("start_at").execute();
        return rows.map(({ session_id, start_at }) => ({ sessionId: session_id, startAt: start_at }));
      }),
  };
}
