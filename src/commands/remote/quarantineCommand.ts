// `switchboard quarantine` prints the webhook deliveries that a running gateway could not read, one JSON line each, newest first.
// With --not-ended it takes the events that are not the end of a call. It can read them again (--reprocess) or remove them (--discard).
import { exitCodes } from "../../util/start/exitCodes.ts";
import { exitWhenReaderCloses, printLine } from "../output.ts";
import { UsageError } from "../options.ts";
import { createGatewayClient, type GatewayClient } from "./gatewayClient.ts";

interface Options {
  url?: string | undefined;
  /** An id from the list, or `all`. */
  reprocess?: string | undefined;
  /** The same. */
  discard?: string | undefined;
  /** The charset of the bodies to reprocess. */
  charset?: string | undefined;
  /** Events that are not the end of a call, in place of those that could not be read. */
  "not-ended"?: boolean | undefined;
}

/** Variables of LIST and IDS. */
type Kind = { kind: "UNREADABLE" | "NOT_ENDED" };

interface Reprocessed {
  reprocessQuarantined: { event: { sessionId?: string } | null; reason: string | null } | null;
}

interface Discarded {
  discardQuarantined: { delivery: { receivedAt: string; reason: string } | null } | null;
}

const LIST = `query($after: String, $kind: QuarantineKind!) { quarantinedDeliveries(first: 20, after: $after, kind: $kind) {
  nodes { id receivedAt reason charset body } pageInfo { hasNextPage endCursor } } }`;
const IDS = `query($after: String, $kind: QuarantineKind!) { quarantinedDeliveries(first: 100, after: $after, kind: $kind) {
  nodes { id } pageInfo { hasNextPage endCursor } } }`;
const REPROCESS = `mutation($id: ID!, $charset: String, $calls: Boolean!) { reprocessQuarantined(id: $id, charset: $charset) {
  event { __typename sessionId @include(if: $calls) } reason } }`;

const DISCARD = `mutation($id: ID!) { discardQuarantined(id: $id) { delivery { receivedAt reason } } }`;

/** Resolves with 1 if a reprocessed delivery still cannot be read, or a delivery to discard is not in quarantine. */
export async function quarantineCommand(options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  const { url, reprocess, discard, charset = null } = options;
  if (reprocess !== undefined && discard !== undefined) {
    throw new UsageError("--reprocess and --discard exclude each other.");
  }
  if (charset !== null && reprocess === undefined) throw new UsageError("--charset needs --reprocess.");
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  const kind: Kind = { kind: options["not-ended"] ? "NOT_ENDED" : "UNREADABLE" };
  const idsOf = (chosen: string) => (chosen === "all" ? oldestFirst(gateway, kind) : [chosen]);
  if (reprocess !== undefined) return reprocessDeliveries(gateway, await idsOf(reprocess), charset);
  if (discard !== undefined) return discardDeliveries(gateway, await idsOf(discard));
  for await (const delivery of gateway.list(LIST, { ...kind })) await printLine(delivery);
  return 0;
}

/** The latest delivery of a call must win. */
async function oldestFirst(gateway: GatewayClient, kind: Kind): Promise<string[]> {
  return (await Array.fromAsync(gateway.list<{ id: string }>(IDS, { ...kind }))).map(({ id }) => id).toReversed();
}

async function reprocessDeliveries(
  gateway: GatewayClient,
  ids: readonly string[],
  charset: string | null,
): Promise<number> {
  const { viewer } = await gateway.query<{ viewer: { scopes: string[] } }>("{ viewer { scopes } }");
  const calls = viewer.scopes.includes("calls:read");
  let unreadable = 0;
  for (const id of ids) {
    const { reprocessQuarantined: result } = await gateway.query<Reprocessed>(REPROCESS, { id, charset, calls });
    const isRead = result?.event != null;
    if (!isRead) unreadable += 1;
    await printLine({ id, isRead, sessionId: result?.event?.sessionId ?? null, reason: result?.reason ?? null });
  }
  return unreadable === 0 ? exitCodes.success : exitCodes.failure;
}

async function discardDeliveries(gateway: GatewayClient, ids: readonly string[]): Promise<number> {
  let missing = 0;
  for (const id of ids) {
    const { discardQuarantined: result } = await gateway.query<Discarded>(DISCARD, { id });
    const { receivedAt = null, reason = null } = result?.delivery ?? {};
    const isDiscarded = receivedAt !== null;
    if (!isDiscarded) missing += 1;
    await printLine({ id, isDiscarded, receivedAt, reason });
  }
  return missing === 0 ? exitCodes.success : exitCodes.failure;
}
