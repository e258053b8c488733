// Stores the names of the events that came, each with whether it ended a call. They are settings, which all gateways share.
import type { Kysely } from "kysely";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface SeenEventName {
  /** Null: the event had none. */
  name: string | null;
  isEnd: boolean;
  /** When the first one came. */
  firstAt: string;
}

/** With and without an end. Further ones are not stored. */
export const MAX_EVENT_NAMES = 50;

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface EventNameStore {
  /** Does nothing for a name that is stored, or where there are enough. Returns whether it was stored now. */
  add(seen: SeenEventName): Promise<boolean>;
  /** In the order in which they came first. */
  all(): Promise<SeenEventName[]>;
}

const PREFIX = "event_name ";

export function createEventNameStore(db: Kysely<Tables>): EventNameStore {
  const rows = () => db.selectFrom("settings").selectAll().where("name", "like", `${PREFIX}%`).execute();
  return {
    add: ({ name, isEnd, firstAt }) =>
      guarded(async () => {
        if ((await rows()).length >= MAX_EVENT_NAMES) return false;
        const added = db
          .insertInto("settings")
          .values({ name: PREFIX + JSON.stringify([isEnd, name]), value: firstAt })
          .onConflict((conflict) => conflict.doNothing())
          .returning("name");
        return (await added.executeTakeFirst()) !== undefined;
      }),
    all: () =>
      guarded(async () => {
        const names = (await rows()).map(({ name, value: firstAt }): SeenEventName => {
          const [isEnd, own] = JSON.parse(name.slice(PREFIX.length)) as [boolean, string | null];
          return { name: own, isEnd, firstAt };
        });
        return names.toSorted((one, other) => (one.firstAt < other.firstAt ? -1 : Number(one.firstAt > other.firstAt)));
      }),
  };
}
