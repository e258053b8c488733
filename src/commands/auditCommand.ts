// `switchboard audit`: prints the audit log of a running gateway, one JSON line for each entry, newest first.
import { exitWhenReaderCloses, printLine } from "./output.ts";
import { createGatewayClient } from "./gatewayClient.ts";

interface Page {
  auditEvents: { nodes: object[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

const PAGE = `query($after: String) { auditEvents(first: 100, after: $after) {
  nodes { id at actor action subjectId count } pageInfo { hasNextPage endCursor } } }`;

export async function auditCommand({ url }: { url?: string | undefined }, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  for (let after: string | null = null; ;) {
    const { auditEvents: page }: Page = await gateway.query<Page>(PAGE, { after });
    for (const entry of page.nodes) await printLine(entry);
    if (!page.pageInfo.hasNextPage) return 0;
    after = page.pageInfo.endCursor;
  }
}
