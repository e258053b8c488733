// `switchboard audit`: prints the audit log of a running gateway, one JSON line for each entry, newest first.
import { exitWhenReaderCloses, printLine } from "../output.ts";
import { createGatewayClient } from "./gatewayClient.ts";
import { readTimes } from "./timeOption.ts";

interface Options {
  url?: string | undefined;
  /** The name of a viewer. */
  actor?: string | undefined;
  /** As the graph names it. */
  action?: string | undefined;
  /** A day by the service's clock, or an instant. */
  since?: string | undefined;
  until?: string | undefined;
}

const PAGE = `query($after: String, $filter: AuditEventFilter) { auditEvents(first: 100, after: $after, filter: $filter) {
  nodes { id at actor action subjectId count via tool client } pageInfo { hasNextPage endCursor } } }`;

export async function auditCommand(options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  const { url, actor, action, since, until } = options;
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  const times = since === undefined && until === undefined ? {} : await readTimes(gateway, { since, until });
  const filter = {
    ...(actor !== undefined && { actors: [actor] }),
    ...(action !== undefined && { actions: [action.toUpperCase()] }),
    ...times,
  };
  for await (const entry of gateway.list(PAGE, { filter })) await printLine(entry);
  return 0;
}
