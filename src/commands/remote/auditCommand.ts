// `switchboard audit`: prints the audit log of a running gateway, one JSON line for each entry, newest first.
import { exitWhenReaderCloses, printLine } from "../output.ts";
import { createGatewayClient } from "./gatewayClient.ts";

const PAGE = `query($after: String) { auditEvents(first: 100, after: $after) {
  nodes { id at actor action subjectId count } pageInfo { hasNextPage endCursor } } }`;

export async function auditCommand({ url }: { url?: string | undefined }, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  for await (const entry of createGatewayClient(url, env).list(PAGE)) await printLine(entry);
  return 0;
}
