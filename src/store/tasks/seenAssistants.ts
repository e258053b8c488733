// Lists the assistants that tasks showed and that accepted submissions named, each with its newest versions.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../tables.ts";

export interface SeenAssistant {
  assistantId: string;
  /** When a task showed it last, or a submission with it was sent. RFC 3339 in UTC with milliseconds. */
  seenAt: string;
  fromTask: boolean;
  fromSubmission: boolean;
  /** The versions that tasks showed, the one seen last first, at most MAX_LISTED_VERSIONS. */
  versionIds: string[];
}

/** A task with an override makes a version of its own, so an assistant may have thousands. */
export const MAX_LISTED_VERSIONS = 10;

interface SeenRow {
  assistant_id: string;
  seen_at: string;
  from_task: number;
  from_submission: number;
}

/** The ones in `first` come first, then those that were seen last. Reads every version and submission once, by an index. */
export async function listSeenAssistants(
  db: Kysely<Tables>,
  { first, limit }: { first: readonly string[]; limit: number },
): Promise<SeenAssistant[]> {
  const firstOnes =
    first.length === 0 ? sql`` : sql`case when assistant_id in (${sql.join(first)}) then 1 else 0 end desc,`;
  const { rows } = await sql<SeenRow>`
    select assistant_id, max(seen_at) as seen_at, max(from_task) as from_task, max(from_submission) as from_submission
    from (
      select assistant_id, max(seen_at) as seen_at, 1 as from_task, 0 as from_submission
      from known_assistants group by assistant_id
      union all
      select assistant_id, max(submitted_at) as seen_at, 0 as from_task, 1 as from_submission
      from submissions where status in ('ACCEPTED', 'RESOLVED') group by assistant_id
    ) as seen
    group by assistant_id
    order by ${firstOnes} max(seen_at) desc, assistant_id desc
    limit ${limit}`.execute(db);
  const versions = await newestVersions(
    db,
    rows.map(({ assistant_id }) => assistant_id),
  );
  return rows.map((row) => ({
    assistantId: row.assistant_id,
    seenAt: row.seen_at,
    fromTask: row.from_task === 1,
    fromSubmission: row.from_submission === 1,
    versionIds: versions.get(row.assistant_id)?.map(({ version_id }) => version_id) ?? [],
  }));
}

async function newestVersions(db: Kysely<Tables>, assistantIds: readonly string[]) {
  if (assistantIds.length === 0) return new Map<string, { version_id: string }[]>();
  const { rows } = await sql<{ assistant_id: string; version_id: string }>`
    select assistant_id, version_id
    from (
      select assistant_id, version_id,
        row_number() over (partition by assistant_id order by seen_at desc, version_id desc) as place
      from known_assistants where assistant_id in (${sql.join(assistantIds)})
    ) as placed
    where place <= ${MAX_LISTED_VERSIONS}
    order by assistant_id, place`.execute(db);
  return Map.groupBy(rows, ({ assistant_id }) => assistant_id);
}
