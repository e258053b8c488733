// Warns of rules in ALERTS_FILE that name a task that the service does not have.
import { readAlertRules } from "../alerts/alertFile.ts";
import type { Config, UpstreamConfig } from "../config/config.ts";
import { fixedToken } from "../upstream/serviceToken.ts";
import { createSingleGet } from "../upstream/openTransport.ts";
import { fixedProxy } from "../upstream/proxyAgent.ts";

/** The service is asked about no more: `alertRules` of a gateway has all doubts. */
const MAX_TASKS = 50;

type Asked = Pick<Config, "alertsFile" | "requests" | "proxy"> & { upstream: UpstreamConfig };

/** A file that cannot be read is told elsewhere. An answer other than 200 and 404 says nothing of a task. */
export async function warnOfUnknownTasks(
  { alertsFile, upstream: { url, token }, requests: { timeoutMs }, proxy }: Asked,
  warn: (text: string) => void,
): Promise<void> {
  const rules = alertsFile === null ? [] : await readAlertRules(alertsFile).catch(() => []);
  const named = rules.flatMap((rule) =>
    ("tasks" in rule ? (rule.tasks ?? []) : []).map((id) => [id, rule.name] as const),
  );
  const byTask = [...Map.groupBy(named, ([taskId]) => taskId)].slice(0, MAX_TASKS);
  if (byTask.length === 0) return;
  await using service = createSingleGet({ url, token: fixedToken(token), proxy: fixedProxy(proxy), timeoutMs });
  for (const [taskId, own] of byTask) {
    const { status } = await service.get(`/openapi/tasks/${taskId}`);
    const names = [...new Set(own.map(([, name]) => name))].join(", ");
    if (status === 404) warn(`the service has no task ${taskId}, which ALERTS_FILE names: ${names}`);
    else if (status !== 200) return;
  }
}
