// Reads recipients of the live build. The cursor is read before the rows, so that they show everything up to it, and perhaps more.
import { sql, type Kysely, type RawBuilder, type SqlBool } from "kysely";
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";
import { CodedError } from "../../errors.ts";
import type { Database } from "../database.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { jsonRows } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import { readerOfBuild } from "./projectionStore.ts";
import { keyOf, recipientOf, type Recipient } from "./recipientRows.ts";

export type { Recipient } from "./recipientRows.ts";

/** A recipient must match all fields that are set. An empty list matches nothing. */
export interface RecipientFilter {
  outcomes?: readonly RecipientOutcome[];
  /** The reason of the last call is one of these, as columnText of events/callEndedEvent.ts writes them; null: it has none. */
  reasons?: readonly (string | null)[];
  minAttempts?: number;
  maxAttempts?: number;
  /** The sum over all calls, in the service's unit. */
  minTalkTime?: number;
  /** The end of the last call, inclusive. */
  since?: string;
  /** Exclusive. */
  until?: string;
}

export interface RecipientPage {
  taskId: string;
  filter: RecipientFilter;
  /** The name of the recipient before the page. */
  after: number | null;
  limit: number;
}

/** What was read, and the cursor of the log up to which it is complete; null: nothing was read from the log yet. */
export interface UpTo<T> {
  found: T;
  upTo: string | null;
}

export interface OutcomeCount {
  outcome: RecipientOutcome;
  recipients: number;
  attempts: number;
  talkTime: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails; `page` and `counts` also until the first build is complete. */
export interface RecipientStore {
  /** In the order in which the log got their first calls. A recipient keeps its place when it is called again. */
  page(queryOwner: QueryOwner, page: RecipientPage): Promise<UpTo<Recipient[]>>;
  counts(queryOwner: QueryOwner, taskId: string): Promise<UpTo<OutcomeCount[]>>;
  /**
   * The recipients of these calls, by session ID. `attempt`: the call's number among the recipient's calls, from 1; null beyond MAX_ATTEMPT,
   * because the calls before it are counted.
   */
  ofCalls(sessionIds: readonly string[]): Promise<Map<string, Recipient & { attempt: number | null }>>;
  /** The session IDs of the last calls of a recipient, the newest first. It is found by its last call, because its name may change. */
  callsOf(of: Pick<Recipient, "taskId" | "lastSession">, limit: number): Promise<string[]>;
  /** The same of many recipients of a task, by the session ID of the last call. */
  callsOfAll(taskId: string, lastSessions: readonly string[]): Promise<Map<string, string[]>>;
  /** Which of these keys people have whom their task has reached, each with the codes that their numbers state. At most 1,000 keys. */
  reachedAmong(
    keys: readonly { taskId: string; key: string }[],
  ): Promise<{ taskId: string; key: string; code: string | null }[]>;
}

export const MAX_ATTEMPT = 1000;

const NAME = "recipients";
/** As a part of each statement, so that a swap cannot come between two. */
const LIVE = sql<number>`(select build from projections where name = ${sql.lit(NAME)} and state = 'LIVE')`;

export function createRecipientStore({ db, kind, read, scan }: Database): RecipientStore {
  async function position(own: Kysely<Tables>): Promise<string | null> {
    const live = own.selectFrom("projections").select("build").where("name", "=", NAME).where("state", "=", "LIVE");
    const found = await live.executeTakeFirst();
    if (!found) throw notYet();
    const reader = readerOfBuild({ name: NAME, build: found.build });
    const row = await own.selectFrom("readers").select("cursor").where("name", "=", reader).executeTakeFirst();
    return row?.cursor ?? null;
  }
  const readUpTo = async <T>(own: Kysely<Tables>, find: (own: Kysely<Tables>) => Promise<T>): Promise<UpTo<T>> => {
    const upTo = await position(own);
    return { found: await find(own), upTo };
  };
  const scanned = <T>(queryOwner: QueryOwner, key: readonly unknown[], find: (own: Kysely<Tables>) => Promise<T>) =>
    queryOwner.once(key, () => guarded(() => scan(queryOwner, key, (own) => readUpTo(own, find))));

  return {
    page(queryOwner, page) {
      const key = ["recipients", page];
      const find = (own: Kysely<Tables>) => pageOf(own, page);
      if (Object.keys(page.filter).length > 0) return scanned(queryOwner, key, find);
      return queryOwner.once(key, () => guarded(() => read(queryOwner, key, () => readUpTo(db, find))));
    },
    counts: (queryOwner, taskId) =>
      scanned(queryOwner, ["recipient counts", taskId], async (own) => {
        const { rows } = await sql<OutcomeCount>`
          select outcome, count(*) as recipients, sum(attempts) as attempts, sum(talk_time) as ${sql.ref("talkTime")}
          from recipients where build = ${LIVE} and task_id = ${taskId} group by outcome`.execute(own);
        return rows;
      }),
    ofCalls: (sessionIds) =>
      guarded(async () => {
        const asked = jsonRows(
          kind,
          "asked",
          { session_id: "text" },
          sessionIds.map((session_id) => ({ session_id })),
        );
        const { rows } = await sql<RecipientRow & { session_id: string; attempt: number }>`
          select own.session_id, recipients.*, (
            select count(*) from (
              select 1 from recipient_calls as earlier
              where earlier.build = own.build and earlier.recipient = own.recipient and earlier.ended_at <= own.ended_at
                and (earlier.ended_at, earlier.session_id) <= (own.ended_at, own.session_id)
              limit ${sql.lit(MAX_ATTEMPT + 1)}) as counted) as attempt
          from ${asked} cross join events cross join recipient_calls as own cross join recipients
          where events.session_id = asked.session_id and own.build = ${LIVE} and own.seq = events.seq and recipients.build = own.build
            and recipients.task_id = own.task_id and recipients.recipient = own.recipient`.execute(db);
        const attemptOf = ({ attempt }: { attempt: number }) => (attempt > MAX_ATTEMPT ? null : attempt);
        return new Map(rows.map((row) => [row.session_id, { ...recipientOf(row), attempt: attemptOf(row) }]));
      }),
    callsOf: ({ taskId, lastSession }, limit) =>
      guarded(async () => {
        const { rows } = await sql<{ session_id: string }>`
          select calls.session_id from events cross join recipient_calls as own cross join recipient_calls as calls
          where events.session_id = ${lastSession} and own.build = ${LIVE} and own.seq = events.seq
            and own.task_id = ${taskId} and calls.build = own.build and calls.recipient = own.recipient
          order by calls.ended_at desc, calls.session_id desc limit ${limit}`.execute(db);
        return rows.map(({ session_id }) => session_id);
      }),
    callsOfAll: (taskId, lastSessions) =>
      guarded(async () => {
        const asked = jsonRows(
          kind,
          "asked",
          { session_id: "text" },
          lastSessions.map((session_id) => ({ session_id })),
        );
        const { rows } = await sql<{ last: string; session_id: string }>`
          select own.session_id as last, calls.session_id
          from ${asked} cross join events cross join recipient_calls as own cross join recipient_calls as calls
          where events.session_id = asked.session_id and own.build = ${LIVE} and own.seq = events.seq
            and own.task_id = ${taskId} and calls.build = own.build and calls.recipient = own.recipient
          order by calls.ended_at desc, calls.session_id desc`.execute(db);
        const byLast = Map.groupBy(rows, ({ last }) => last);
        return new Map(Array.from(byLast, ([last, calls]) => [last, calls.map(({ session_id }) => session_id)]));
      }),
    reachedAmong: (keys) =>
      guarded(async () => {
        const asked = keys.map(({ taskId: task_id, key }) => ({ task_id, key }));
        const { rows } = await sql<{ task_id: string; key: string; code: string }>`
          select known.task_id, known.key, known.code
          from ${jsonRows(kind, "asked", { task_id: "text", key: "text" }, asked)}
            cross join recipient_keys as known cross join recipients
          where known.build = ${LIVE} and known.task_id = asked.task_id and known.key = asked.key
            and recipients.build = known.build and recipients.task_id = known.task_id
            and recipients.recipient = known.recipient and recipients.outcome = 'REACHED'`.execute(db);
        return rows.map((row) => ({ taskId: row.task_id, ...keyOf(row) }));
      }),
  };
}

type RecipientRow = Tables["recipients"];

const notYet = (): CodedError =>
  new CodedError(
    "STORE_UNAVAILABLE",
    "The people of tasks are made from the event log for the first time. Try again later.",
    { retryAfter: NOT_YET_S },
  );
/** A million calls take some minutes. */
const NOT_YET_S = 10;

async function pageOf(db: Kysely<Tables>, { taskId, filter, after, limit }: RecipientPage): Promise<Recipient[]> {
  const rows = db.selectFrom("recipients").selectAll().where("build", "=", LIVE).where("task_id", "=", taskId);
  const matching = conditionsOf(filter).reduce((query, condition) => query.where(condition), rows);
  const rest = after === null ? matching : matching.where("recipient", ">", after);
  const found = await rest.orderBy("recipient").limit(limit).execute();
  return found.map(recipientOf);
}

function conditionsOf(filter: RecipientFilter): RawBuilder<SqlBool>[] {
  const { outcomes, reasons, minAttempts, maxAttempts, minTalkTime, since, until } = filter;
  const texts = reasons?.filter((reason) => reason !== null) ?? [];
  return [
    ...(outcomes ? [isOneOf("outcome", outcomes)] : []),
    ...(reasons?.includes(null) ? [sql<SqlBool>`(last_reason is null or ${isOneOf("last_reason", texts)})`] : []),
    ...(reasons && !reasons.includes(null) ? [isOneOf("last_reason", texts)] : []),
    ...(minAttempts === undefined ? [] : [sql<SqlBool>`attempts >= ${minAttempts}`]),
    ...(maxAttempts === undefined ? [] : [sql<SqlBool>`attempts <= ${maxAttempts}`]),
    ...(minTalkTime === undefined ? [] : [sql<SqlBool>`talk_time >= ${minTalkTime}`]),
    ...(since === undefined ? [] : [sql<SqlBool>`last_at >= ${since}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`last_at < ${until}`]),
  ];
}

const isOneOf = (column: string, values: readonly string[]): RawBuilder<SqlBool> =>
  values.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`;
