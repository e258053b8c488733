// POST of call-ended webhooks (service.md, 4.4). The Authorization header is checked before the body is read, and 200 is sent after
// the event was written to disk.
import type { IncomingMessage, ServerResponse } from "node:http";
import { BODY_LIMITS } from "../../config/limits.ts";
import { CodedError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { ServerObserver, WebhookOutcome } from "../serverObserver.ts";
import type { Receiver } from "../../webhook/receive.ts";
import { sendJson, sendEmptyRefusal } from "../httpResponse.ts";
import { networkOf } from "../connections/clientAddress.ts";
import { readBody, reserveUnlimited } from "../body/readBody.ts";
import type { ConnectionGuard } from "../connections/connectionGuard.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { WebhookArrivals } from "../../webhook/webhookArrivals.ts";
import type { WebhookTests } from "../../webhook/webhookTest.ts";
import { authorizationOf } from "../requestHead.ts";

export interface WebhookRouteDeps {
  receiver: Receiver;
  observer: Pick<ServerObserver, "webhookAuthorized" | "webhookAnswered">;
  connectionGuard: Pick<ConnectionGuard, "recordAccepted">;
  arrivals: Pick<WebhookArrivals, "accepted" | "refused">;
  tests: Pick<WebhookTests, "isTest" | "isUnchanged">;
  log: Logger;
}

export function createWebhookRoute({ receiver, observer, connectionGuard, arrivals, tests, log }: WebhookRouteDeps) {
  const count = (outcome: WebhookOutcome, startedAt: number) =>
    observer.webhookAnswered(outcome, performance.now() - startedAt);
  /** It is neither stored nor counted. */
  async function answerTest(request: IncomingMessage, response: ServerResponse, headers: ResponseHeaders) {
    const body = await readBody(request, BODY_LIMITS.webhook, () => reserveUnlimited);
    if (typeof body === "string") return sendEmptyRefusal(request, response, 413, headers);
    sendJson(response, 200, { webhookTest: { unchanged: tests.isUnchanged(body) } }, headers);
  }
  return async (request: IncomingMessage, response: ServerResponse, headers: ResponseHeaders): Promise<void> => {
    const startedAt = performance.now();
    if (request.method !== "POST") {
      // A browser that looks at the address is no webhook.
      if (receiver.matchSecret(authorizationOf(request))) arrivals.refused("WRONG_METHOD");
      return sendJson(response, 405, {}, { ...headers, allow: "POST" });
    }
    if (tests.isTest(authorizationOf(request))) return answerTest(request, response, headers);
    const secret = receiver.matchSecret(authorizationOf(request));
    observer.webhookAuthorized(secret ?? "none");
    if (!secret) {
      arrivals.refused(request.headers.authorization ? "WRONG_HEADER" : "MISSING_HEADER");
      return sendEmptyRefusal(request, response, 401, headers);
    }
    connectionGuard.recordAccepted(networkOf(request.socket.remoteAddress));
    // The sender is the service. Its bodies do not count towards the body budget, so that other callers cannot block them.
    const body = await readBody(request, BODY_LIMITS.webhook, () => reserveUnlimited);
    if (typeof body === "string") {
      count("too_large", startedAt);
      arrivals.refused("TOO_LARGE");
      return sendEmptyRefusal(request, response, 413, headers);
    }
    try {
      const outcome = await receiver.receive(body, request.headers);
      sendJson(response, 200, {}, headers);
      count(outcome, startedAt);
      arrivals.accepted(outcome !== "quarantined");
    } catch (err) {
      // Any error gets 503, also one of the gateway itself: the event may not be stored, and the service repeats what it gets no 200 for.
      const retryAfter = err instanceof CodedError ? (err.retryAfter ?? 1) : 1;
      count("failed", startedAt);
      arrivals.refused("NOT_STORED");
      log.error({ err }, "a webhook could not be stored; the answer 503 asks the service to send it again");
      sendJson(response, 503, {}, { ...headers, "retry-after": String(retryAfter) });
    }
  };
}
