// Receives webhooks. The route verifies the header before it reads the body. `receive` parses the body and appends the event, or
// puts what cannot be read or stored into quarantine. When it resolves, the delivery is on disk.
import { timingSafeEqual } from "node:crypto";
import type { CallEndedData } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import { unstorableReasonOf } from "../events/unstorable.ts";
import { instantOf } from "../format/instant.ts";
import type { Log } from "../log.ts";
import type { QuarantineStore } from "../store/log/quarantineStore.ts";
import { DIGEST_BYTES, writeDigest } from "../util/digest.ts";
import type { ParseCallEnded } from "./parse.ts";

/** The names of the accepted values in metrics, in the order of the configuration. */
const secrets = ["current", "previous"] as const;
export type Secret = (typeof secrets)[number];

export interface Receiver {
  /** Which accepted value the header is; null: none. Call it before the body is read, and refuse the request at null. */
  matchSecret(authorization: string | undefined): Secret | null;
  /**
   * Stores an authentic delivery in the log. A delivery that cannot be parsed, or that the database refuses, goes to quarantine,
   * because the sender does not repeat a refused one for ever. Throws STORE_UNAVAILABLE; then it may be stored or not, and its repetition is "known" or stored.
   */
  receive(body: Uint8Array): Promise<"appended" | "revised" | "known" | "quarantined">;
}

export interface ReceiverDeps {
  /** Accepted values of the Authorization header: the current one, and during a rotation the previous one. A new list if one changed. */
  accepted: () => readonly string[];
  events: Pick<EventLog, "append">;
  quarantine: QuarantineStore;
  parse: ParseCallEnded;
  /** Whether the log keeps the body of each accepted delivery. */
  keepsBodies: boolean;
  clock: () => number;
  log: Log;
}

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { accepted, events, quarantine, parse, keepsBodies, clock, log } = deps;
  let values = accepted();
  let verify = createVerifier(values);

  async function append(call: CallEndedData, body: Uint8Array) {
    try {
      return await events.append(call, "WEBHOOK", keepsBodies ? body : null);
    } catch (error) {
      const reason = unstorableReasonOf(error);
      if (reason === null) throw error;
      await quarantine.add({ receivedAt: instantOf(clock()), reason, body });
      log.error({ reason, bytes: body.byteLength }, "a webhook cannot be stored in the log and is in quarantine");
      return "quarantined";
    }
  }

  return {
    matchSecret(authorization) {
      if (accepted() !== values) {
        values = accepted();
        verify = createVerifier(values);
      }
      return secrets[verify(authorization)] ?? null;
    },
    async receive(body) {
      const parsed = parse(body);
      if ("call" in parsed) return append(parsed.call, body);
      const { unreadable: reason, fault } = parsed;
      await quarantine.add({ receivedAt: instantOf(clock()), reason, body });
      const bytes = body.byteLength;
      if (fault) log.error({ reason, bytes, fault }, "the parser of webhooks failed; the delivery is in quarantine");
      else log.warn({ reason, bytes }, "a webhook could not be parsed and is in quarantine");
      return "quarantined";
    },
  };
}

/**
 * Returns the index of the accepted value that an Authorization header equals (service.md, section 5); -1: none. It
 * compares digests, and always all of them, so that the time taken reveals neither a length nor a common prefix.
 */
export function createVerifier(accepted: readonly string[]): (authorization: string | undefined) => number {
  const digests = accepted.map(digestOf);
  const presented = Buffer.alloc(DIGEST_BYTES);
  return (authorization) => {
    writeDigest(presented, authorization ?? "");
    let found = -1;
    for (const [index, digest] of digests.entries()) if (timingSafeEqual(digest, presented)) found = index;
    return authorization === undefined ? -1 : found;
  };
}

function digestOf(text: string): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  writeDigest(digest, text);
  return digest;
}
