// POST /calllog over HTTP: the header is judged before the body is read, and 200 is said after the event is on disk.
import type { IncomingMessage, ServerResponse } from "node:http";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Receiver } from "../webhook/receive.ts";
import { answerJson } from "./answer.ts";
import { readBody } from "./body.ts";

const BODY_LIMIT = 256 * 1024;

export function createWebhookRoute({ receiver, log }: { receiver: Receiver; log: Log }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return answerJson(response, 405, {}, { allow: "POST" });
    if (!receiver.isAuthentic(request.headers.authorization)) {
      return answerJson(response, 401, {}, { connection: "close" });
    }
    const body = await readBody(request, BODY_LIMIT);
    if (!body) return answerJson(response, 413, {}, { connection: "close" });
    try {
      await receiver.receive(body);
      answerJson(response, 200, {});
    } catch (err) {
      const retryAfter = err instanceof CodedError ? (err.retryAfter ?? 1) : 1;
      log.error({ err }, "a webhook could not be kept, and is asked for again");
      answerJson(response, 503, {}, { "retry-after": String(retryAfter) });
    }
  };
}
