// The correlation token identifies a created task: a signed, reserved key in the variables of each number. The variables come
// back in the task's call-ended events (service.md, section 4.3). Only gateways of one database can sign a token.
import type { Signer } from "../util/hmac.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";

/** Clients may not use this key, and never see it in events. */
export const CORRELATION_KEY = "_switchboard";

/** It never changes, because the service has tasks whose tokens were signed with it. */
const PURPOSE = "submission mark";

export interface CorrelationTokens {
  /** Adds the submission's token to each number of the request, one number per step. */
  attach(request: CreateTaskRequest, submissionId: string): Steps<CreateTaskRequest>;
  /** The submission that an event's variables belong to; null without a valid token. */
  submissionIdOf(extra: Readonly<Record<string, unknown>> | null): string | null;
}

export function createCorrelationTokens(signer: Signer): CorrelationTokens {
  return {
    *attach(request, submissionId) {
      const token = signer.sign(PURPOSE, submissionId);
      const numbers: CreateTaskRequest["numbers"][number][] = [];
      for (const { number, extra } of request.numbers) {
        numbers.push({ number, extra: { ...extra, [CORRELATION_KEY]: token } });
        yield;
      }
      return { ...request, numbers };
    },
    submissionIdOf(extra) {
      const token = extra && Object.hasOwn(extra, CORRELATION_KEY) ? extra[CORRELATION_KEY] : null;
      return typeof token === "string" ? signer.verify(PURPOSE, token) : null;
    },
  };
}

/** An event's variables without the token, as the client gave them. */
export function withoutCorrelationToken(extra: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!extra || !Object.hasOwn(extra, CORRELATION_KEY)) return extra;
  // Object.fromEntries keeps a variable called `__proto__`.
  return Object.fromEntries(Object.entries(extra).filter(([key]) => key !== CORRELATION_KEY));
}

/** The key, its end and the beginning of the token: as JSON, and as JSON in a text of JSON. */
const TOKEN_IN_TEXT = /((?:_|\\u005f)switchboard(?![\w-])[\s"\\:]{1,64})[\w-]{1,1000}/gi;

/** The text of a webhook delivery, readable or not, with the tokens in it hidden. */
export function withoutTokensIn(body: string): string {
  return body.replaceAll(TOKEN_IN_TEXT, "$1<hidden>");
}
