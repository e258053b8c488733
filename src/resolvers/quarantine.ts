// Reads deliveries in quarantine, parses one of them again, and discards them.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { charsetsOf, decodeStrictly, knownCharset } from "../format/bodyCharset.ts";
import { instantOf } from "../format/instant.ts";
import type { Quarantined, QuarantineKind } from "../store/events/quarantineStore.ts";
import { withoutTokensIn } from "../tasks/correlationToken.ts";
import type { Signer } from "../util/hmac.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst } from "./inputRules.ts";
import { readNodeId } from "./nodeId.ts";
import { foreignCursor, pageInfo, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

export interface QuarantinedDeliveryConnection {
  edges: Edge<Quarantined>[];
  pageInfo: PageInfo;
}

const SHOWN_BYTES = 64 * 1024;
/** One byte more than is shown, which tells whether the body was cut. */
const READ_BYTES = SHOWN_BYTES + 1;

/** The newest comes first. */
export async function quarantinedDeliveries(
  { first, after, kind }: Paging & { kind: QuarantineKind },
  { quarantine, signer, queryOwner, queuedRead }: Context,
): Promise<QuarantinedDeliveryConnection> {
  checkFirst(first);
  const place = after == null ? null : readCursor(after, signer);
  const page = { kind, after: place, limit: first + 1, bodyBytes: READ_BYTES };
  const found = await queuedRead(queryOwner, ["quarantine", page], () => quarantine.page(page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: signer.sign("quarantine", String(node.id)) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

/** By the key in its node id. Null where no such delivery is in quarantine. */
export async function quarantinedDelivery(
  key: string,
  { quarantine, queryOwner, queuedRead }: Context,
): Promise<Quarantined | null> {
  if (!isKey(key)) return null;
  return queuedRead(queryOwner, ["quarantined", key], () => quarantine.byId(Number(key)));
}

/** `charset`: what the body is in; null: what its sender declared. Throws BAD_USER_INPUT for one that cannot be decoded. */
export async function reprocessQuarantined(
  { id, charset }: { id: string; charset?: string | null | undefined },
  { reprocess, viewer }: Context,
): Promise<{ event: CallEndedEvent | null; reason: string | null }> {
  const known = charset == null ? null : knownCharset(charset);
  if (charset != null && known === null) throw badInput("charset must be the name of a charset, such as gbk.");
  return reprocess(keyOf(id), viewer.name, known);
}

/** Null where no such delivery is in quarantine. */
export async function discardQuarantined(
  id: string,
  { quarantine, viewer, clock }: Context,
): Promise<{ delivery: Quarantined | null }> {
  const removal = { actor: viewer.name, at: instantOf(clock()), action: "DELIVERY_DISCARDED" } as const;
  return { delivery: await quarantine.remove(keyOf(id), removal) };
}

/** Throws BAD_USER_INPUT for another id than that of a delivery. */
function keyOf(id: string): number {
  const { type, key: parts } = readNodeId(id) ?? { type: "", key: [] };
  const [key = ""] = parts;
  if (type !== "QuarantinedDelivery" || !isKey(key)) throw badInput("id must be the id of a QuarantinedDelivery.");
  return Number(key);
}

/** Any bytes as text, cut at 64 KiB. `charset`: the one that the sender declared. */
export function bodyText(body: Uint8Array, charset: string | null = null): string {
  const likely = charsetsOf(body, charset).find((each) => decodeStrictly(body, each) !== undefined);
  const decoder = new TextDecoder(likely ?? "utf-8", { ignoreBOM: true });
  // With `stream` the decoder omits a character that the cut left incomplete.
  return withoutTokensIn(decoder.decode(body.subarray(0, SHOWN_BYTES), { stream: body.byteLength > SHOWN_BYTES }));
}

function readCursor(cursor: string, signer: Signer): number {
  const place = signer.verify("quarantine", cursor);
  if (place === null) throw foreignCursor();
  return Number(place);
}

const isKey = (text: string) => /^[1-9]\d{0,14}$/.test(text);
