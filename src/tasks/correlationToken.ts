// The mark by which a created task is known again: one reserved key in every number's variables, which come back in its
// call-ended events (service.md, section 4.3). Nobody but the gateways of one database can make one.
import type { Signer } from "../util/hmac.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";

/** Refused in a viewer's own variables, and never shown in an event's. */
export const CORRELATION_KEY = "_switchboard";

const PURPOSE = "submission mark";

export interface CorrelationTokens {
  /** The request with the submission's mark on each of its numbers, one in each step. */
  attach(request: CreateTaskRequest, submissionId: string): Steps<CreateTaskRequest>;
  /** The id of the submission whose mark it is; null for variables without one of ours. */
  submissionIdOf(extra: Readonly<Record<string, unknown>> | null): string | null;
}

export function createCorrelationTokens(seal: Signer): CorrelationTokens {
  return {
    *attach(request, submissionId) {
      const mark = seal.sign(PURPOSE, submissionId);
      const numbers: CreateTaskRequest["numbers"][number][] = [];
      for (const { number, extra } of request.numbers) {
        numbers.push({ number, extra: { ...extra, [CORRELATION_KEY]: mark } });
        yield;
      }
      return { ...request, numbers };
    },
    submissionIdOf(extra) {
      const mark = extra && Object.hasOwn(extra, CORRELATION_KEY) ? extra[CORRELATION_KEY] : null;
      return typeof mark === "string" ? seal.verify(PURPOSE, mark) : null;
    },
  };
}

/** An event's variables as they may be shown: as they were given when the task was created. */
export function withoutCorrelationToken(extra: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!extra || !Object.hasOwn(extra, CORRELATION_KEY)) return extra;
  // A variable called `__proto__` stays one.
  return Object.fromEntries(Object.entries(extra).filter(([key]) => key !== CORRELATION_KEY));
}
