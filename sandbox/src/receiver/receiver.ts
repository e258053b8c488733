// A receiver of a gateway's messages, to look at: it keeps what came, and whether its signature is right (Standard Webhooks 1.0).
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { HttpError, textResponse, type ApiResponse } from "../api/response.ts";
import { createJournal } from "../journal.ts";
import type { ReceivedMessage, Verdict } from "./receivedMessage.ts";
import { receiverPage } from "./receiverPage.ts";

/** Public: it protects only simulated calls. */
export const RECEIVER_SECRET = `whsec_${Buffer.from("the sandbox's receiver, no secret").toString("base64")}`;

export interface Receiver {
  /** Oldest first, at most 200. */
  messages(): ReceivedMessage[];
  clear(): void;
  handle(request: ReceiverRequest): ApiResponse;
}

export interface ReceiverRequest {
  method: string;
  query: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const MAX_MESSAGES = 200;
const MAX_SIZE = 8 * 1024 * 1024;
const MAX_AGE_S = 300;
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

export function createReceiver(real: () => number): Receiver {
  const journal = createJournal<ReceivedMessage>({ entries: MAX_MESSAGES, size: MAX_SIZE });

  /** `status=503` of the query is answered, so that repeats can be seen. */
  function take({ query, headers, body }: ReceiverRequest): ApiResponse {
    const asked = Number(new URLSearchParams(query).get("status") ?? 204);
    if (!Number.isInteger(asked) || asked < 200 || asked > 599) throw new HttpError(400, "status must be 200 to 599");
    const given = headers["webhook-id"];
    const id = typeof given === "string" ? given : null;
    const signature = verdictOf(headers, body, real());
    const status = signature === "right" || signature === "none" ? asked : 401;
    const isTaken = (message: ReceivedMessage) => message.id === id && message.status < 300;
    const isRepeat = id !== null && journal.list().some(isTaken);
    journal.add({ at: real(), id, signature, isRepeat, status, body: body.toString("utf8") }, body.length);
    return textResponse(status, status < 300 ? "" : "as asked by the address of this receiver\n");
  }
  return {
    messages: journal.list,
    clear: journal.clear,
    handle(request) {
      if (request.method === "POST") return take(request);
      if (request.method !== "GET" && request.method !== "HEAD")
        throw new HttpError(405, "method not allowed", { allow: "GET, HEAD, POST" });
      return { status: 200, headers: PAGE_HEADERS, body: receiverPage(journal.list().toReversed()) };
    },
  };
}

function verdictOf(headers: IncomingHttpHeaders, body: Buffer, now: number): Verdict {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => headers[`webhook-${name}`]);
  if (typeof signatures !== "string") return "none";
  if (typeof id !== "string" || typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) return "wrong";
  const key = Buffer.from(RECEIVER_SECRET.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const isRight = signatures.split(" ").some((each) => {
    const bytes = Buffer.from(each.startsWith("v1,") ? each.slice(3) : "", "base64");
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!isRight) return "wrong";
  return Math.abs(now / 1000 - Number(timestamp)) > MAX_AGE_S ? "old" : "right";
}
