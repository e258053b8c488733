// POST of call-ended webhooks (service.md, 4.4). The Authorization header is checked before the body is read, and 200 is sent after
// the event was written to disk.
import type { IncomingMessage, ServerResponse } from "node:http";
import { BODY_LIMITS } from "../../config/limits.ts";
import { CodedError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { ServerObserver, WebhookOutcome } from "../serverObserver.ts";
import type { Receiver } from "../../webhook/receive.ts";
import { sendJson, sendEmptyRefusal } from "../httpResponse.ts";
import { networkOf } from "../connections/clientAddress.ts";
import { readBody, reserveUnlimited } from "../body/readBody.ts";
import type { ConnectionGuard } from "../connections/connectionGuard.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import { createLogAggregator } from "../../util/logAggregator.ts";
import { authorizationOf } from "../requestHead.ts";

export interface WebhookRouteDeps {
  receiver: Receiver;
  observer: Pick<ServerObserver, "webhookAuthorized" | "webhookAnswered">;
  connectionGuard: Pick<ConnectionGuard, "recordAccepted">;
  rejections: Pick<WebhookRejectionLog, "add">;
  log: Log;
}

export function createWebhookRoute({ receiver, observer, connectionGuard, rejections, log }: WebhookRouteDeps) {
  const count = (outcome: WebhookOutcome, startedAt: number) =>
    observer.webhookAnswered(outcome, performance.now() - startedAt);
  return async (request: IncomingMessage, response: ServerResponse, headers: ResponseHeaders): Promise<void> => {
    const startedAt = performance.now();
    if (request.method !== "POST") return sendJson(response, 405, {}, { ...headers, allow: "POST" });
    const secret = receiver.matchSecret(authorizationOf(request));
    observer.webhookAuthorized(secret ?? "none");
    if (!secret) {
      rejections.add(request.headers.authorization);
      return sendEmptyRefusal(request, response, 401, headers);
    }
    connectionGuard.recordAccepted(networkOf(request.socket.remoteAddress));
    // The sender is the service. Its bodies do not count towards the body budget, so that other callers cannot block them.
    const body = await readBody(request, BODY_LIMITS.webhook, () => reserveUnlimited);
    if (typeof body === "string") {
      count("too_large", startedAt);
      return sendEmptyRefusal(request, response, 413, headers);
    }
    try {
      const outcome = await receiver.receive(body, request.headers);
      sendJson(response, 200, {}, headers);
      count(outcome, startedAt);
    } catch (err) {
      // Any error gets 503, also one of the gateway itself: the event may not be stored, and the service repeats what it gets no 200 for.
      const retryAfter = err instanceof CodedError ? (err.retryAfter ?? 1) : 1;
      count("failed", startedAt);
      log.error({ err }, "a webhook could not be stored; the answer 503 asks the service to send it again");
      sendJson(response, 503, {}, { ...headers, "retry-after": String(retryAfter) });
    }
  };
}

/** Disposing it logs the counts that were not logged yet. */
export interface WebhookRejectionLog extends Disposable {
  add(authorization: string | undefined): void;
}

const LOG_INTERVAL_MS = 60_000;

/**
 * Logs webhooks with a wrong Authorization header: the first one at once, because the operator may have mistyped it, and later
 * ones as counts once a minute, because anybody can send them. Never logs the value: it may be the right one, misspelt.
 */
export function createWebhookRejectionLog(log: Log): WebhookRejectionLog {
  const aggregator = createLogAggregator(
    (header) => log.warn({ header }, "webhooks are refused: their Authorization header is not WEBHOOK_AUTHORIZATION"),
    { intervalMs: LOG_INTERVAL_MS, reportsFirstAtOnce: true },
  );
  return {
    add: (authorization) => aggregator.add(authorization ? "wrong" : "missing"),
    [Symbol.dispose]: () => aggregator[Symbol.dispose](),
  };
}
