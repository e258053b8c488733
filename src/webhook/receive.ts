// Receives webhooks. The route verifies the header before it reads the body. `receive` parses the body and appends the event, or
// puts what cannot be read or stored, or is not the end of a call, into quarantine. When it resolves, the delivery is on disk.
import { timingSafeEqual } from "node:crypto";
import { BODY_LIMITS } from "../config/limits.ts";
import type { CallEndedData } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { AppendOutcome } from "../events/eventObserver.ts";
import { unstorableReasonOf } from "../store/unstorable.ts";
import { charsetsOf, declaredCharset } from "../format/bodyCharset.ts";
import { instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import { createFailureLog, type FailureWriters } from "../util/logging/failureLog.ts";
import type { NewQuarantined, QuarantineStore } from "../store/events/quarantineStore.ts";
import { decodeBody } from "../upstream/decodeBody.ts";
import { DIGEST_BYTES, writeDigest } from "../util/digest.ts";
import type { EarlyEvents } from "./earlyEvents.ts";
import type { WhyNoEnd } from "./endRule.ts";
import type { ParseCallEnded, Parsed } from "./parse.ts";
import type { SeenEventNames } from "./seenEventNames.ts";

/** The names of the accepted values in metrics, in the order of the configuration. */
const secrets = ["current", "previous"] as const;
export type Secret = (typeof secrets)[number];

/** Disposing it logs the counts of deliveries in quarantine that were not logged yet. */
export interface Receiver extends Disposable {
  /** Which accepted value the header is; null: none. Call it before the body is read, and refuse the request at null. */
  matchSecret(authorization: string | undefined): Secret | null;
  /**
   * Stores an authentic delivery in the log. A delivery that cannot be parsed, or that the database refuses, goes to quarantine,
   * because the sender does not repeat a refused one for ever. So does one that is not the end of a call ("not_ended"), unless it adds to
   * a call that has ended. Throws STORE_UNAVAILABLE; then it may be stored or not, and its repetition is "known" or stored.
   * `headers`: how the body is encoded.
   */
  receive(body: Buffer, headers?: BodyHeaders): Promise<AppendOutcome | "quarantined" | "not_ended">;
}

/** By their names in node:http. */
export type BodyHeaders = { "content-type"?: string | undefined; "content-encoding"?: string | undefined };

export interface ReceiverDeps {
  /** Accepted values of the Authorization header: the current one, and during a rotation the previous one. A new list if one changed. */
  accepted: () => readonly string[];
  events: Pick<EventLog, "append">;
  quarantine: Pick<QuarantineStore, "add">;
  parse: ParseCallEnded;
  whyNoEnd: WhyNoEnd;
  earlyEvents: Pick<EarlyEvents, "addTo">;
  eventNames: SeenEventNames;
  /** Whether the log keeps the body of each accepted delivery. */
  keepsBodies: boolean;
  clock: () => number;
  log: Logger;
}

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { accepted, events, quarantine, parse, whyNoEnd, earlyEvents, eventNames, keepsBodies, clock, log } = deps;
  let values = accepted();
  let verify = createVerifier(values);
  const now = () => instantOf(clock());
  // A sender may repeat them thousands of times a second.
  const linesOf = (write: FailureWriters["write"]) => createFailureLog({ write, writeShort: write });
  const unreadable = linesOf((fields) => log.warn({ ...fields }, "a webhook could not be parsed and is in quarantine"));
  const faults = linesOf((fields) =>
    log.error({ ...fields }, "the parser of webhooks failed; the delivery is in quarantine"),
  );
  const unstorable = linesOf((fields) =>
    log.error(fields, "a webhook cannot be stored in the log and is in quarantine"),
  );

  /** `why`: the reason why it is not the end of a call; null: it is. */
  async function append(call: CallEndedData, utf8: Uint8Array, why: string | null, kept: Kept) {
    const bytes = kept.body.byteLength;
    try {
      const body = keepsBodies ? utf8 : null;
      const outcome = await events.append(call, "WEBHOOK", { body, isEnd: why === null });
      if (why === null || outcome !== "known") return outcome;
    } catch (error) {
      const reason = unstorableReasonOf(error);
      if (reason === null) throw error;
      await quarantine.add({ ...kept, kind: "UNREADABLE", sessionId: null, reason });
      unstorable.add({ reason, bytes });
      return "quarantined";
    }
    const { sessionId } = call;
    await quarantine.add({ ...kept, kind: "NOT_ENDED", sessionId, reason: why });
    // The end may have come meanwhile, and whoever adds kept events to it may not have seen this one.
    await earlyEvents.addTo(sessionId);
    return "not_ended";
  }

  /** A proxy may decode a body and leave its header. Nothing that is encoded is JSON. */
  function readPlain(body: Buffer, charset: string | null): Parsed {
    const parsed = parse(body, charsetsOf(body, charset));
    return "call" in parsed ? parsed : NOT_DECODED;
  }

  return {
    matchSecret(authorization) {
      if (accepted() !== values) {
        values = accepted();
        verify = createVerifier(values);
      }
      return secrets[verify(authorization)] ?? null;
    },
    async receive(encoded, headers = {}) {
      const body = withoutEncoding(encoded, headers["content-encoding"]);
      const charset = declaredCharset(headers["content-type"]);
      const kept = { receivedAt: now(), charset, body: body ?? encoded };
      const parsed = body === null ? readPlain(encoded, charset) : parse(body, charsetsOf(body, charset));
      if ("call" in parsed) {
        const why = whyNoEnd(parsed.call);
        await eventNames.saw(parsed.call.eventName, why === null, now);
        return append(parsed.call, parsed.utf8, why, kept);
      }
      const { unreadable: reason, fault } = parsed;
      await quarantine.add({ ...kept, kind: "UNREADABLE", sessionId: null, reason });
      const bytes = encoded.byteLength;
      if (fault) faults.add({ reason, bytes, fault });
      else unreadable.add({ reason, bytes, charset });
      return "quarantined";
    },
    [Symbol.dispose]() {
      for (const lines of [unreadable, faults, unstorable]) lines[Symbol.dispose]();
    },
  };
}

const NOT_DECODED: Parsed = { unreadable: "The body is not what its Content-Encoding says." };

/** Null: the body cannot be decoded, or is too large then. */
function withoutEncoding(body: Buffer, encoding: string | undefined): Buffer | null {
  if (encoding === undefined) return body;
  try {
    return decodeBody(body, encoding, BODY_LIMITS.webhook);
  } catch {
    return null;
  }
}

type Kept = Pick<NewQuarantined, "receivedAt" | "charset" | "body">;

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
