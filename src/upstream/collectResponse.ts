// Collects one answer as undici hands it out: its head, and for a 2xx its body as one text, within the limits of size,
// type and encoding. What breaks a limit is cut off at once, and never held whole.
import { isUtf8 } from "node:buffer";
import type { Dispatcher } from "undici";
import { contractError, type ServiceResponse } from "./judgeResponse.ts";
import { onCancel, type Cancellation } from "./cancellation.ts";
import { transportError } from "./transportError.ts";

/** Larger answers are refused while they arrive. A page of 100 calls is some 50 kB. */
const LARGEST_ANSWER = 16 * 1024 * 1024;
/** The text of a refusal is not ours to show; so much of it is let through, so that the connection can serve again. */
const REFUSAL_SIZE = 64 * 1024;
const REFUSAL_MS = 1000;
const JSON_TYPE = /^(application|text)\/([\w.-]+\+)?json\s*(;|$)/i;

export interface Collecting {
  handler: Dispatcher.DispatchHandler;
  /** Rejects with the ending's reason as soon as it is over. */
  answer: Promise<ServiceResponse>;
}

export function collectResponse(ending: Cancellation): Collecting {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let isCut = false;
  let chunks: Buffer[] = [];
  let size = 0;
  let most = LARGEST_ANSWER;
  let head: Omit<ServiceResponse, "text"> | undefined;
  let refusal: NodeJS.Timeout | undefined;

  const stopHearing = onCancel(ending, () => cut(ending.reason));

  function cut(reason: unknown): void {
    isCut = true;
    chunks = [];
    settle(() => reject(reason));
    controller?.abort(new Error("The answer is not waited for."));
  }
  function settle(tell: () => void): void {
    stopHearing();
    tell();
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      if (isCut) given.abort(new Error("The answer is not waited for."));
    },
    onResponseStart(given, status, headers) {
      if (status < 200) return;
      head = { status, retryAfter: textOf(headers["retry-after"]), date: textOf(headers["date"]) };
      if (status > 299) {
        most = REFUSAL_SIZE;
        refusal = setTimeout(() => given.abort(new Error("The refusal is too slow.")), REFUSAL_MS).unref();
        return settle(() => resolve({ ...(head as ServiceResponse), text: "" }));
      }
      const type = textOf(headers["content-type"]);
      if (type !== undefined && !JSON_TYPE.test(type)) return cut(contractError("The service's answer is not JSON."));
      if (Number(headers["content-length"] ?? 0) > most) cut(tooLarge());
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > most) cut(tooLarge());
      else if (most === LARGEST_ANSWER) chunks.push(chunk);
    },
    onResponseEnd() {
      clearTimeout(refusal);
      if (isCut || !head) return;
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
      if (!isUtf8(body)) return cut(contractError("The service's answer is not UTF-8."));
      const text = body.toString("utf8");
      settle(() => resolve({ ...(head as ServiceResponse), text: text.startsWith("\uFEFF") ? text.slice(1) : text }));
    },
    onResponseError(_, error) {
      clearTimeout(refusal);
      chunks = [];
      settle(() => reject(transportError(error)));
    },
  };
  return { handler, answer: promise };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function tooLarge() {
  return contractError("The service's answer is too large.");
}
