// What reconciliation keeps between two searches, whichever gateway makes them: up to where the call log was searched,
// and the calls that were going on.
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

export interface OpenCall {
  sessionId: string;
  startAt: string;
}

/** When searches ended, as the gateway's clock tells it. */
export interface SearchState {
  /** Everything up to here was searched; null: nothing ever was. */
  searchedThrough: string | null;
  /** When the last search ended, with or without success. */
  lastSearch: string | null;
}

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface OpenCallStore {
  searchState(): Promise<SearchState>;
  saveSearchState(state: Partial<SearchState>): Promise<void>;
  /** Those of the calls of which the log has no event. */
  findWithoutEvent(sessionIds: readonly string[]): Promise<Set<string>>;
  /** A call that is remembered already stays as it is. */
  add(calls: readonly OpenCall[]): Promise<void>;
  delete(sessionIds: readonly string[]): Promise<void>;
  /** The calls that are looked for, the one that began first first. One of which an event came is forgotten. */
  openCalls(): Promise<OpenCall[]>;
}

const names = { searchedThrough: "reconcile_searched_through", lastSearch: "reconcile_last_search" } as const;

export function createOpenCallStore({ db }: Database): OpenCallStore {
  return {
    searchState: () =>
      guarded(async () => {
        const rows = await db.selectFrom("settings").selectAll().where("name", "in", Object.values(names)).execute();
        const kept = new Map(rows.map(({ name, value }) => [name, value]));
        const valueOf = (name: string) => kept.get(name) ?? null;
        return { searchedThrough: valueOf(names.searchedThrough), lastSearch: valueOf(names.lastSearch) };
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
        const told = await db
          .selectFrom("events")
          .select("session_id")
          .where("session_id", "in", [...without])
          .where("revision", "=", 1)
          .execute();
        for (const { session_id } of told) without.delete(session_id);
        return without;
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
              eb.selectFrom("events").select("seq").whereRef("events.session_id", "=", "open_calls.session_id"),
            ),
          )
          .execute();
        const rows = await db.selectFrom("open_calls").selectAll().orderBy("start_at").execute();
        return rows.map(({ session_id, start_at }) => ({ sessionId: session_id, startAt: start_at }));
      }),
  };
}
