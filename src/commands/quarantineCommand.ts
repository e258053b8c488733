// `switchboard quarantine`: prints the webhook deliveries that a running gateway could not read, one JSON line each, newest
// first. --reprocess reads them again.
import { exitWhenReaderCloses, printLine } from "./output.ts";
import { createGatewayClient, type GatewayClient } from "./gatewayClient.ts";

interface Options {
  url?: string | undefined;
  /** An id from the list, or `all`. */
  reprocess?: string | undefined;
}

interface Page {
  quarantinedDeliveries: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

interface Reprocessed {
  reprocessQuarantined: { event: { sessionId?: string } | null; reason: string | null } | null;
}

const LIST = `query($after: String) { quarantinedDeliveries(first: 20, after: $after) {
  nodes { id receivedAt reason body } pageInfo { hasNextPage endCursor } } }`;
const IDS = `query($after: String) { quarantinedDeliveries(first: 100, after: $after) {
  nodes { id } pageInfo { hasNextPage endCursor } } }`;
const REPROCESS = `mutation($id: ID!, $calls: Boolean!) { reprocessQuarantined(id: $id) {
  event { __typename sessionId @include(if: $calls) } reason } }`;

/** Resolves with 1 if a reprocessed delivery still cannot be read. */
export async function quarantineCommand({ url, reprocess }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  if (reprocess === undefined) {
    for await (const delivery of list(gateway, LIST)) await printLine(delivery);
    return 0;
  }
  const { viewer } = await gateway.query<{ viewer: { scopes: string[] } }>("{ viewer { scopes } }");
  const calls = viewer.scopes.includes("calls:read");
  // Oldest first: the latest delivery of a call must win.
  const all = async () => (await Array.fromAsync(list(gateway, IDS))).map(({ id }) => id).toReversed();
  let unreadable = 0;
  for (const id of reprocess === "all" ? await all() : [reprocess]) {
    const { reprocessQuarantined: result } = await gateway.query<Reprocessed>(REPROCESS, { id, calls });
    const isRead = result?.event != null;
    if (!isRead) unreadable += 1;
    await printLine({ id, isRead, sessionId: result?.event?.sessionId ?? null, reason: result?.reason ?? null });
  }
  return unreadable === 0 ? 0 : 1;
}

async function* list(gateway: GatewayClient, query: string): AsyncGenerator<{ id: string }, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: Page["quarantinedDeliveries"] = (await gateway.query<Page>(query, { after })).quarantinedDeliveries;
    yield* page.nodes;
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return;
  }
}
