// Deliveries in quarantine as the graph shows them, and their second reading.
import type { Context } from "./context.ts";
import { CodedError } from "../errors.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { Signer } from "../util/hmac.ts";
import type { Quarantined } from "../store/log/quarantineStore.ts";
import { readNodeId } from "./nodeId.ts";
import { pageInfo, type Edge, type PageInfo } from "./pageInfo.ts";
import { badInput, checkFirst } from "./inputRules.ts";

export interface QuarantinedDeliveryConnection {
  edges: Edge<Quarantined>[];
  pageInfo: PageInfo;
}

const SHOWN_BYTES = 64 * 1024;
/** One more is read than is shown, to know whether the text was cut. */
const READ_BYTES = SHOWN_BYTES + 1;

/** Newest first. */
export async function quarantinedDeliveries(
  { first, after }: { first: number; after?: string | null | undefined },
  { quarantine, seal, reader, inTurn }: Context,
): Promise<QuarantinedDeliveryConnection> {
  checkFirst(first);
  const place = after == null ? null : readCursor(after, seal);
  const page = { after: place, limit: first + 1, bodyBytes: READ_BYTES };
  const found = await inTurn(reader, ["quarantine", page], () => quarantine.page(page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: seal.sign("quarantine", String(node.id)) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

/** By its place, as its node id names it; null where it is not, or no longer, in quarantine. */
export async function quarantinedDelivery(
  place: string,
  { quarantine, reader, inTurn }: Context,
): Promise<Quarantined | null> {
  if (!isPlace(place)) return null;
  return inTurn(reader, ["quarantined", place], () => quarantine.byId(Number(place)));
}

export async function reprocessQuarantined(
  id: string,
  { reprocess }: Context,
): Promise<{ event: CallEndedEvent | null; reason: string | null }> {
  const { type, key } = readNodeId(id) ?? { type: "", key: [] };
  const [place = ""] = key;
  if (type !== "QuarantinedDelivery" || !isPlace(place)) throw badInput("id is not the id of a quarantined delivery.");
  return reprocess(Number(place));
}

/** As text, whatever it is, cut at 64 KiB. */
export function bodyText(body: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // Told that more follows, the decoder leaves out a character of which the cut left only a part.
  return decoder.decode(body.subarray(0, SHOWN_BYTES), { stream: body.byteLength > SHOWN_BYTES });
}

function readCursor(cursor: string, seal: Signer): number {
  const place = seal.verify("quarantine", cursor);
  if (place === null) throw new CodedError("CURSOR_INVALID", "The cursor is not one of this list's.");
  return Number(place);
}

const isPlace = (text: string) => /^[1-9]\d{0,14}$/.test(text);
