// Deletes submissions that have expired. Those that call people again stay while the log has calls of a task of their campaign: without them
// nobody would know that its tasks belong together, and whom they call.
import type { Kysely } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import type { Tables } from "../tables.ts";
import { indexLinks, joinCampaign, readLinks } from "./callAgainWrites.ts";

/** Up to `limit` that were submitted and sent before an instant and do not wait for an approval. Returns their number. */
export async function purgeSubmissions(db: Kysely<Tables>, submittedBefore: string, limit: number): Promise<number> {
  const expired = db
    .selectFrom("submissions")
    .select("id")
    .where("submitted_at", "<", submittedBefore)
    .where("status", "!=", "PROPOSED")
    .where((eb) => eb.or([eb("sent_at", "is", null), eb("sent_at", "<", submittedBefore)]));
  const again = db.selectFrom("call_again").select("submission_id");
  const plain = db.deleteFrom("submissions").where("id", "in", expired.where("id", "not in", again).limit(limit));
  let purged = Number((await plain.executeTakeFirst()).numDeletedRows);
  for (const some of chunksOf(await forgottenLinks(db))) {
    const left = limit - purged;
    if (left <= 0) break;
    const linked = db.deleteFrom("submissions").where("id", "in", expired.where("id", "in", some).limit(left));
    purged += Number((await linked.executeTakeFirst()).numDeletedRows);
  }
  return purged;
}

/** Submissions of campaigns of which the log has no call. */
async function forgottenLinks(db: Kysely<Tables>): Promise<string[]> {
  const links = await readLinks(db);
  const byTask = indexLinks(links);
  const kept = new Set<string>();
  for (const some of chunksOf([...byTask.keys()])) {
    const called = db.selectFrom("events").select("task_id").distinct().where("task_id", "in", some);
    const known = (await called.execute()).flatMap(({ task_id: task }) => task ?? []);
    const others = known.filter((task) => !byTask.get(task)?.some(({ id }) => kept.has(id)));
    for (const link of others.flatMap((task) => [...joinCampaign(byTask, task).own])) kept.add(link.id);
  }
  return links.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
}
