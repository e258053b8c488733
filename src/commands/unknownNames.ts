// Warns of rules in ALERTS_FILE that name a task that the service does not have, an assistant that no task or call has shown, or a destination that is
// in no file.
import { readAlertRules } from "../alerts/alertFile.ts";
import type { Config, UpstreamConfig } from "../config/config.ts";
import type { ReadTables } from "../store/migrations/missingTables.ts";
import { fixedToken } from "../upstream/serviceToken.ts";
import { createSingleGet } from "../upstream/openTransport.ts";
import { fixedProxy } from "../upstream/proxyAgent.ts";

/** No more are asked about: `alertRules` of a gateway has all doubts. */
const MAX_NAMES = 50;

type Asked = Pick<Config, "alertsFile" | "requests" | "proxy"> & { upstream: UpstreamConfig };

/** The IDs that rules name, with the names of these rules. A file that cannot be read is told elsewhere. */
async function namedIn(
  file: string | null,
  member: "tasks" | "assistants" | "destinations",
): Promise<(readonly [string, string])[]> {
  const rules = file === null ? [] : await readAlertRules(file).catch(() => []);
  const named = rules.flatMap((rule) => {
    const lists: Partial<Record<typeof member, string[] | undefined>> = rule.kind === "keyLimit" ? {} : rule;
    return (lists[member] ?? []).map((id) => ({ id, name: rule.name }));
  });
  const byId = [...Map.groupBy(named, ({ id }) => id)].slice(0, MAX_NAMES);
  return byId.map(([id, own]) => [id, [...new Set(own.map(({ name }) => name))].join(", ")]);
}

/** An answer other than 200 and 404 says nothing of a task. */
export async function warnOfUnknownTasks(
  { alertsFile, upstream: { url, token }, requests: { timeoutMs }, proxy }: Asked,
  warn: (text: string) => void,
): Promise<void> {
  const named = await namedIn(alertsFile, "tasks");
  if (named.length === 0) return;
  await using service = createSingleGet({ url, token: fixedToken(token), proxy: fixedProxy(proxy), timeoutMs });
  for (const [taskId, rules] of named) {
    const { status } = await service.get(`/openapi/tasks/${taskId}`);
    if (status === 404) warn(`the service has no task ${taskId}, which ALERTS_FILE names: ${rules}`);
    else if (status !== 200) return;
  }
}

/** The service has no list of assistants: those are known that the operator names, or that tasks and calls in the database have shown. */
export async function warnOfUnknownAssistants(
  { alertsFile, named: { assistants } }: Pick<Config, "alertsFile" | "named">,
  read: ReadTables,
  warn: (text: string) => void,
): Promise<void> {
  const named = (await namedIn(alertsFile, "assistants")).filter(([id]) => !assistants.some((own) => own.id === id));
  for (const [id, rules] of named) {
    // An ID has digits alone.
    const isSeen = ["known_assistants", "event_assistants"].map(
      (table) => `exists (select 1 from ${table} where assistant_id = '${id}')`,
    );
    const [seen] = await read(`select 1 as seen where ${isSeen.join(" or ")}`);
    if (!seen) warn(`no task or call has shown an assistant ${id}, which ALERTS_FILE names: ${rules}`);
  }
}

/** `known`: those of DESTINATIONS_FILE. */
export async function warnOfUnknownDestinations(
  { alertsFile }: Pick<Config, "alertsFile">,
  known: readonly { name: string }[],
  warn: (text: string) => void,
): Promise<void> {
  for (const [asked, rules] of await namedIn(alertsFile, "destinations"))
    if (!known.some(({ name }) => name === asked))
      warn(`DESTINATIONS_FILE has no destination ${asked}, which ALERTS_FILE names: ${rules}`);
}
