// What the metrics learn of operations, webhooks and rejections. A label is a word of a short list, and never holds anything of a
// person or a viewer.
import type { GraphQLError } from "graphql";
import type { OperationPipeline } from "../graphql/operation.ts";
import { whenAnswered } from "../graphql/whenAnswered.ts";
import { andThen } from "../util/maybePromise.ts";

export const transports = ["http", "sse", "websocket", "callback", "mcp"] as const;
export type Transport = (typeof transports)[number];
export const operationKinds = ["query", "mutation", "subscription"] as const;
export type OperationKind = (typeof operationKinds)[number];
export const webhookOutcomes = [
  "appended",
  "revised",
  "known",
  "quarantined",
  "not_ended",
  "too_large",
  "failed",
  "misdirected",
] as const;
export type WebhookOutcome = (typeof webhookOutcomes)[number];
/** The accepted value that the Authorization header of a webhook matches. */
export const webhookSecrets = ["current", "previous", "none"] as const;
/** Where a rejection happened: before a request was read, before or on a WebSocket, or at a route. */
export type RejectedAt = "connection" | "upgrade" | "websocket" | "graphql" | "webhook" | "recordings" | "other";

/** Each member counts once. Times are in milliseconds. */
export interface ServerObserver {
  /** An operation was refused before it ran. `code`: of its first error. */
  operationRefused(transport: Transport, code: string): void;
  /**
   * An operation has its result: a subscription when it begins, an answer in parts with its last part. `code`: OK, or the code of
   * its first error.
   */
  operationEnded(transport: Transport, kind: OperationKind, code: string, milliseconds: number): void;
  /** A query by GET did not run, because its answer was known to be unchanged. */
  queryUnchanged(): void;
  webhookAuthorized(secret: (typeof webhookSecrets)[number]): void;
  /** An authentic webhook was answered. The time begins with its head. */
  webhookAnswered(outcome: WebhookOutcome, milliseconds: number): void;
  /** An authentic webhook came to a wrong path. */
  webhookMisdirected(): void;
  /** `status`: an HTTP status, a close code, or a word (connections/rejections.ts). */
  rejected(place: RejectedAt, status: string): void;
}

export const noServerObserver: ServerObserver = {
  operationRefused: () => undefined,
  operationEnded: () => undefined,
  queryUnchanged: () => undefined,
  webhookAuthorized: () => undefined,
  webhookAnswered: () => undefined,
  webhookMisdirected: () => undefined,
  rejected: () => undefined,
};

/** The same pipeline, whose operations are reported. */
export function observeOperations(
  pipeline: OperationPipeline,
  observer: ServerObserver,
  transport: Exclude<Transport, "sse">,
): OperationPipeline {
  if (observer === noServerObserver) return pipeline;
  const transportOf = (kind: OperationKind) => (kind === "subscription" && transport === "http" ? "sse" : transport);
  return {
    prepare(request, grant) {
      const startedAt = performance.now();
      const operation = pipeline.prepare(request, grant);
      if ("errors" in operation) {
        observer.operationRefused(transport, codeOf(operation.errors[0]));
        return operation;
      }
      const { kind, run } = operation;
      const onAnswered = (error: GraphQLError | undefined) =>
        observer.operationEnded(transportOf(kind), kind, codeOf(error), performance.now() - startedAt);
      return {
        ...operation,
        run: (...args) => andThen(run(...args), (result) => whenAnswered(result, onAnswered)),
      };
    },
  };
}

function codeOf(error: GraphQLError | undefined): string {
  if (!error) return "OK";
  const { code } = error.extensions;
  return typeof code === "string" ? code : "INTERNAL";
}
