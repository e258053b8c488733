// `switchboard quarantine`: prints the webhook deliveries that a running gateway could not read, one JSON line each, newest
// first. --reprocess reads them again, --discard removes them.
import { exitCodes } from "../util/exitCodes.ts";
import { exitWhenReaderCloses, printLine } from "./output.ts";
import { UsageError } from "./options.ts";
import { createGatewayClient, type GatewayClient } from "./gatewayClient.ts";

interface Options {
  url?: string | undefined;
  /** An id from the list, or `all`. */
  reprocess?: string | undefined;
  /** The same. */
  discard?: string | undefined;
}

interface Page {
  quarantinedDeliveries: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

interface Reprocessed {
  reprocessQuarantined: { event: { sessionId?: string } | null; reason: string | null } | null;
}

interface Discarded {
  discardQuarantined: { delivery: { receivedAt: string; reason: string } | null } | null;
}

const LIST = `query($after: String) { quarantinedDeliveries(first: 20, after: $after) {
  nodes { id receivedAt reason body } pageInfo { hasNextPage endCursor } } }`;
const IDS = `query($after: String) { quarantinedDeliveries(first: 100, after: $after) {
  nodes { id } pageInfo { hasNextPage endCursor } } }`;
const REPROCESS = `mutation($id: ID!, $calls: Boolean!) { reprocessQuarantined(id: $id) {
  event { __typename sessionId @include(if: $calls) } reason } }`;

const DISCARD = `mutation($id: ID!) { discardQuarantined(id: $id) { delivery { receivedAt reason } } }`;

/** Resolves with 1 if a reprocessed delivery still cannot be read, or a delivery to discard is not in quarantine. */
export async function quarantineCommand(options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  const { url, reprocess, discard } = options;
  if (reprocess !== undefined && discard !== undefined) {
    throw new UsageError("--reprocess and --discard exclude each other.");
  }
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  if (reprocess !== undefined) return reprocessDeliveries(gateway, reprocess);
  if (discard !== undefined) return discardDeliveries(gateway, discard);
  for await (const delivery of list(gateway, LIST)) await printLine(delivery);
  return 0;
}

/** Oldest first: the latest delivery of a call must win. */
async function idsOf(gateway: GatewayClient, chosen: string): Promise<string[]> {
  if (chosen !== "all") return [chosen];
  return (await Array.fromAsync(list(gateway, IDS))).map(({ id }) => id).toReversed();
}

async function reprocessDeliveries(gateway: GatewayClient, chosen: string): Promise<number> {
  const { viewer } = await gateway.query<{ viewer: { scopes: string[] } }>("{ viewer { scopes } }");
  const calls = viewer.scopes.includes("calls:read");
  let unreadable = 0;
  for (const id of await idsOf(gateway, chosen)) {
    const { reprocessQuarantined: result } = await gateway.query<Reprocessed>(REPROCESS, { id, calls });
    const isRead = result?.event != null;
    if (!isRead) unreadable += 1;
    await printLine({ id, isRead, sessionId: result?.event?.sessionId ?? null, reason: result?.reason ?? null });
  }
  return unreadable === 0 ? exitCodes.success : exitCodes.failure;
}

async function discardDeliveries(gateway: GatewayClient, chosen: string): Promise<number> {
  let missing = 0;
  for (const id of await idsOf(gateway, chosen)) {
    const { discardQuarantined: result } = await gateway.query<Discarded>(DISCARD, { id });
    const { receivedAt = null, reason = null } = result?.delivery ?? {};
    const isDiscarded = receivedAt !== null;
    if (!isDiscarded) missing += 1;
    await printLine({ id, isDiscarded, receivedAt, reason });
  }
  return missing === 0 ? exitCodes.success : exitCodes.failure;
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
