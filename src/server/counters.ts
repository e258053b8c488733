// Counts operations, webhooks and rejections, whether or not metrics are served; metrics/ publishes the numbers. A label
// comes from a short fixed list, and never holds anything of a person or a viewer.
import type { GraphQLError } from "graphql";
import type { OperationPipeline, OperationResult } from "../graphql/operation.ts";
import { whenAnswered } from "../graphql/whenAnswered.ts";
import { andThen } from "../util/maybePromise.ts";

export interface Counter<Label extends string> {
  add(labels: Readonly<Record<Label, string>>): void;
  read(): { labels: Record<Label, string>; count: number }[];
}

export const transports = ["http", "sse", "websocket", "callback"] as const;
export const operationKinds = ["query", "mutation", "subscription"] as const;
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

/** Takes how long things took, in milliseconds. Without METRICS_PORT it does nothing. */
export interface ServerObserver {
  /** An authentic webhook was answered. The time begins with its head. */
  webhookAnswered(outcome: WebhookOutcome, milliseconds: number): void;
  /** An operation that was not refused has its result. A subscription has it when it begins, an answer in parts with its last part. */
  operationEnded(
    transport: (typeof transports)[number],
    kind: (typeof operationKinds)[number],
    milliseconds: number,
  ): void;
}

export const noServerObserver: ServerObserver = { webhookAnswered: () => undefined, operationEnded: () => undefined };

export interface Counters {
  /** By transport (http, sse, websocket, callback), kind of operation, and OK or the code of the first error. */
  operations: Counter<"transport" | "kind" | "code">;
  /** Authorization headers of webhooks, by the accepted value that they match: current, previous, or none. */
  webhookAuth: Counter<"secret">;
  /** Authentic webhooks, by their outcome. */
  webhooks: Counter<"outcome">;
  /** Rejections, by the place where they happened, and by HTTP status, close code or a word: see rejections.ts. */
  rejections: Counter<"place" | "status">;
  durations: ServerObserver;
}

export function createCounters(durations = noServerObserver): Counters {
  return {
    operations: createCounter(),
    webhookAuth: createCounter(),
    webhooks: createCounter(),
    rejections: createCounter(),
    durations,
  };
}

interface Count<Label extends string> {
  labels: Readonly<Record<Label, string>>;
  count: number;
}

interface TreeNode<Label extends string> {
  count: Count<Label> | null;
  children: Map<string, TreeNode<Label>>;
}

function createCounter<Label extends string>(): Counter<Label> {
  const root: TreeNode<Label> = { count: null, children: new Map() };
  const counts: Count<Label>[] = [];

  /** A tree with one level per label: joining the labels into one key for each request would cost more than the count. */
  function countOf(labels: Readonly<Record<Label, string>>): Count<Label> {
    let node = root;
    for (const name in labels) {
      const value = labels[name];
      let child = node.children.get(value);
      if (!child) node.children.set(value, (child = { count: null, children: new Map() }));
      node = child;
    }
    if (node.count) return node.count;
    const count = { labels: { ...labels }, count: 0 };
    counts.push(count);
    node.count = count;
    return count;
  }
  return {
    add(labels) {
      countOf(labels).count += 1;
    },
    read: () => counts.map(({ labels, count }) => ({ labels: { ...labels }, count })),
  };
}

/** A pipeline that counts each operation once, by the code of its first error: a subscription when it starts, a query when it ends. */
export function countOperations(
  pipeline: OperationPipeline,
  { operations: counter, durations }: Pick<Counters, "operations" | "durations">,
  transport: "http" | "websocket" | "callback",
): OperationPipeline {
  const transportOf = (kind: string) => (kind === "subscription" && transport === "http" ? "sse" : transport);
  const count = (kind: string, error: GraphQLError | undefined) =>
    counter.add({ transport: transportOf(kind), kind, code: codeOf(error) });
  return {
    prepare(request, grant, largeBody) {
      const startedAt = performance.now();
      const operation = pipeline.prepare(request, grant, largeBody);
      if ("errors" in operation) {
        count("refused", operation.errors[0]);
        return operation;
      }
      const { kind } = operation;
      const countResult = (result: OperationResult) =>
        whenAnswered(result, (error) => {
          count(kind, error);
          durations.operationEnded(transportOf(kind), kind, performance.now() - startedAt);
        });
      return {
        ...operation,
        run: (...args) => andThen(operation.run(...args), countResult),
      };
    },
  };
}

function codeOf(error: GraphQLError | undefined): string {
  if (!error) return "OK";
  const { code } = error.extensions;
  return typeof code === "string" ? code : "INTERNAL";
}
