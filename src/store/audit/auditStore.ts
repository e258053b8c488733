// The audit log: which viewer did what, and when. An action that writes to the database adds its entry in the same transaction,
// so that neither exists without the other. Entries hold no phone numbers: subjects are ids, and an erased call's id is removed.
import { sql, type Kysely, type Selectable } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { agentCall, type AgentCall } from "../../util/agentCall.ts";
import type { Tables } from "../tables.ts";
import type { AuditTable } from "./auditTable.ts";
import { matchesEntry, type AuditFilter } from "./auditFilter.ts";

export const auditActions = [
  "TASK_SUBMITTED",
  "TASK_PROPOSED",
  "TASK_APPROVED",
  "TASK_DECLINED",
  "TASK_EXPIRED",
  "PHONE_FORGOTTEN",
  "DELIVERY_REPROCESSED",
  "DELIVERY_DISCARDED",
  "DELIVERY_SHOWN",
  "DELIVERIES_REREAD",
  "RECORDING_PLAYED",
  "DO_NOT_CALL_ADDED",
  "DO_NOT_CALL_REMOVED",
  "HISTORY_IMPORTED",
  "HISTORY_IMPORT_CANCELLED",
  "DESTINATION_CHANGED",
  "ALERT_ACKNOWLEDGED",
] as const;
export type AuditAction = (typeof auditActions)[number];
/** Their subjects are session IDs. */
export const callActions = ["RECORDING_PLAYED", "DELIVERY_SHOWN"] as const satisfies readonly AuditAction[];
/** The subject of its entries, too: an hour has one entry per subject. */
const REREAD = "DELIVERIES_REREAD";

/** The viewer that acts, and the time. */
export interface Actor {
  /** The viewer's name. */
  actor: string;
  /** RFC 3339, UTC. */
  at: string;
}

export interface NewAuditEvent extends Actor {
  action: AuditAction;
  /** The submission's id, the number of the delivery in quarantine, or the recording's session id. Null: nothing can be named. */
  subject: string | null;
  /** See AuditEvent.count in the graph. */
  count: number;
}

export interface AuditEvent extends NewAuditEvent {
  /** From 1; later entries have higher ids. */
  id: number;
  /** How it was done: by an agent's tool call. Null: in any other way. */
  agent: AgentCall | null;
}

export const auditWays = ["MCP"] as const;
export type AuditWay = (typeof auditWays)[number];

export interface AuditPage {
  /** Only entries before this id; null: from the newest. */
  after: number | null;
  limit: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface AuditStore {
  /**
   * Adds one entry per viewer, recording and hour (UTC); a repeat within the hour adds nothing. On disk when it resolves. False,
   * without an entry: the call was erased.
   */
  addPlay(play: Actor & { sessionId: string }): Promise<boolean>;
  /** Adds an entry, on disk when it resolves. False, without an entry: the call was erased. */
  addShown(shown: Actor & { sessionId: string }): Promise<boolean>;
  /** Adds to the count of the one entry per viewer and hour (UTC). On disk when it resolves. */
  addReread(reread: Actor & { changed: number }): Promise<void>;
  /** Newest first. */
  page(page: AuditPage): Promise<AuditEvent[]>;
  /** The same of those that match, by a scan in the owner's turn. Throws QUERY_TOO_COMPLEX where it takes too long. */
  search(queryOwner: QueryOwner, filter: AuditFilter, page: AuditPage): Promise<AuditEvent[]>;
  byId(id: number): Promise<AuditEvent | null>;
  /** Deletes up to `limit` of the oldest from before an instant. Returns their number. */
  purge(before: string, limit: number): Promise<number>;
}

const COLUMNS = ["id", "at", "actor", "action", "subject", "count", "via", "tool", "client"] as const;

export function createAuditStore(database: Pick<Database, "db" | "kind" | "scan" | "scanGuard">): AuditStore {
  const { db, kind, scan } = database;
  const alive = database.scanGuard("audit.id");
  const rows = () => db.selectFrom("audit").select(COLUMNS);

  /** An erasure that runs comes first, and a later one waits for the transaction. */
  async function holdsCall(trx: Kysely<Tables>, table: "events" | "recordings", sessionId: string): Promise<boolean> {
    const call = trx.selectFrom(table).select("session_id").where("session_id", "=", sessionId).limit(1);
    return (await call.$if(kind === "postgres", (query) => query.forShare()).executeTakeFirst()) !== undefined;
  }

  return {
    addPlay: ({ actor, at, sessionId }) =>
      guarded(async () => {
        const hour = hourOf(at);
        const known = db.selectFrom("audit").select("id").where("actor", "=", actor).where("subject", "=", sessionId);
        // SQLite syncs its file for an insert that conflicts, too, and a player asks for many ranges.
        if (await known.where("hour", "=", hour).executeTakeFirst()) return true;
        const play = {
          at,
          actor,
          action: "RECORDING_PLAYED",
          subject: sessionId,
          count: 1,
          hour,
          ...wayColumns(),
        } as const;
        return db.transaction().execute(async (trx) => {
          if (!(await holdsCall(trx, "recordings", sessionId))) return false;
          await trx
            .insertInto("audit")
            .values(play)
            .onConflict((conflict) => conflict.columns(["actor", "subject", "hour"]).doNothing())
            .execute();
          return true;
        });
      }),
    addShown: ({ sessionId, ...by }) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          if (!(await holdsCall(trx, "events", sessionId))) return false;
          await addAuditEvent(trx, { ...by, action: "DELIVERY_SHOWN", subject: sessionId, count: 1 });
          return true;
        }),
      ),
    addReread: ({ actor, at, changed }) =>
      guarded(async () => {
        const way = wayColumns();
        // What agents of a viewer read again has an entry of its own.
        const hour = way.via === null ? hourOf(at) : `${hourOf(at)} ${way.via}`;
        const entry = { at, actor, action: REREAD, subject: REREAD, count: changed, hour, ...way } as const;
        await db
          .insertInto("audit")
          .values(entry)
          .onConflict((conflict) =>
            conflict
              .columns(["actor", "subject", "hour"])
              .doUpdateSet({ count: sql<number>`audit.count + excluded.count` }),
          )
          .execute();
      }),
    page: ({ after, limit }) =>
      guarded(async () => {
        const page = rows().$if(after !== null, (query) => query.where("id", "<", after ?? 0));
        return (await page.orderBy("id", "desc").limit(limit).execute()).map(auditEventOf);
      }),
    search: (queryOwner, filter, { after, limit }) =>
      guarded(async () => {
        const condition = matchesEntry(filter);
        const found = await scan(queryOwner, ["audit", filter, after, limit], (own) => {
          let page = own.selectFrom("audit").select(COLUMNS).where(alive);
          if (condition) page = page.where(condition);
          if (after !== null) page = page.where("id", "<", after);
          return page.orderBy("id", "desc").limit(limit).execute();
        });
        return found.map(auditEventOf);
      }),
    byId: (id) =>
      guarded(async () => {
        const row = await rows().where("id", "=", id).executeTakeFirst();
        return row ? auditEventOf(row) : null;
      }),
    purge: (before, limit) =>
      guarded(async () => {
        const oldest = db.selectFrom("audit").select("id").where("at", "<", before).orderBy("at").limit(limit);
        const purged = db.deleteFrom("audit").where("id", "in", oldest);
        return Number((await purged.executeTakeFirstOrThrow()).numDeletedRows);
      }),
  };
}

/** Call it inside the transaction of the action. */
export async function addAuditEvent(trx: Kysely<Tables>, event: NewAuditEvent): Promise<void> {
  await trx
    .insertInto("audit")
    .values({ ...event, ...wayColumns() })
    .execute();
}

/** Removes the entry of a submission of which nothing was sent. Call it inside the transaction that takes the submission back. */
export async function removeSubmissionEvent(
  trx: Kysely<Tables>,
  { actor, action, subject }: { actor: string; action: "TASK_SUBMITTED" | "TASK_APPROVED"; subject: string },
): Promise<void> {
  const own = trx.deleteFrom("audit").where("actor", "=", actor).where("subject", "=", subject);
  await own.where("action", "=", action).execute();
}

/** Removes the ids of erased calls: a service may make them of phone numbers. The entries stay. */
export async function blankCalls(trx: Kysely<Tables>, sessionIds: readonly string[]): Promise<void> {
  for (const some of chunksOf(sessionIds)) {
    // Two statements, because the index of plays is of this one action.
    for (const action of callActions) {
      const entries = trx.updateTable("audit").set({ subject: null }).where("action", "=", action);
      await entries.where("subject", "in", some).execute();
    }
  }
}

/** The columns that say how the current work is done. */
function wayColumns(): { via: AuditWay | null; tool: string | null; client: string | null } {
  const { tool = null, client = null } = agentCall() ?? {};
  return { via: tool === null ? null : "MCP", tool, client };
}

/** Such as 2026-11-20T09. */
const hourOf = (at: string) => at.slice(0, "2026-11-20T09".length);

function auditEventOf(row: Omit<Selectable<AuditTable>, "hour">): AuditEvent {
  const action = auditActions.find((known) => known === row.action);
  if (!action) throw new Error(`audit entry ${row.id} has an unknown action`);
  const { via, tool, client, ...entry } = row;
  return { ...entry, action, agent: via === null || tool === null ? null : { tool, client } };
}
