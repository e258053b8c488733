// POST /calllog over HTTP: the header is judged before the body is read, and 200 is said after the event is on disk.
import type { IncomingMessage, ServerResponse } from "node:http";
import { CodedError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Counters } from "../counters.ts";
import type { Receiver } from "../../webhook/receive.ts";
import { sendJson, sendEmptyRefusal } from "../httpResponse.ts";
import { networkOf } from "../connections/clientAddress.ts";
import { reserveUnlimited, readBody } from "../body/readBody.ts";
import type { ConnectionGuard } from "../connections/connectionGuard.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import { authorizationOf } from "../requestHead.ts";
import type { WebhookRejections } from "./webhookRejections.ts";

const BODY_LIMIT = 256 * 1024;

export interface WebhookRouteDeps {
  receiver: Receiver;
  counters: Pick<Counters, "webhookAuth" | "webhooks">;
  connectionGuard: Pick<ConnectionGuard, "recordAccepted">;
  rejections: Pick<WebhookRejections, "add">;
  log: Log;
}

export function createWebhookRoute({
  receiver,
  counters: meters,
  connectionGuard: door,
  rejections: strangers,
  log,
}: WebhookRouteDeps) {
  return async (request: IncomingMessage, response: ServerResponse, head: ResponseHeaders): Promise<void> => {
    if (request.method !== "POST") return sendJson(response, 405, {}, { ...head, allow: "POST" });
    const secret = receiver.matchSecret(authorizationOf(request));
    meters.webhookAuth.add({ secret: secret ?? "none" });
    if (!secret) {
      strangers.add(request.headers.authorization);
      return sendEmptyRefusal(request, response, 401, head);
    }
    door.recordAccepted(networkOf(request.socket.remoteAddress));
    // Who knows the secret is the service, whose events nobody else's bodies keep out.
    const body = await readBody(request, BODY_LIMIT, () => reserveUnlimited);
    if (typeof body === "string") {
      meters.webhooks.add({ outcome: "too_large" });
      return sendEmptyRefusal(request, response, 413, head);
    }
    try {
      meters.webhooks.add({ outcome: await receiver.receive(body) });
      sendJson(response, 200, {}, head);
    } catch (err) {
      const retryAfter = err instanceof CodedError ? (err.retryAfter ?? 1) : 1;
      meters.webhooks.add({ outcome: "failed" });
      log.error({ err }, "a webhook could not be kept, and is asked for again");
      sendJson(response, 503, {}, { ...head, "retry-after": String(retryAfter) });
    }
  };
}
