// Runs a subscription for a tool: collects its results until there are some, or the time is over. An agent calls again with the cursor
// of the answer, so that it follows the log without a gap, also over a restart of the gateway.
import type { ExecutionResult, GraphQLError } from "graphql";
import { eventIdOf, isCheckpoint } from "../graphql/subscriptions/eventId.ts";
import { startDeadline } from "../util/deadline.ts";
import type { JsonSchema, ObjectSchema } from "./inputSchema.ts";

/** The longest wait of a tool. Many clients give up after 30 or 60 seconds. */
const MAX_WAIT_S = 25;
const DEFAULT_WAIT_S = 20;
const MAX_ITEMS = 100;
const DEFAULT_ITEMS = 20;
/** An answer with items ends when no more come for so long. */
const QUIET_MS = 100;
/**
 * How often a subscription to the log tells where it is, in milliseconds. Each answer moves on to there, also in the middle of a long log
 * of which the filter passes nothing.
 */
export const CHECKPOINT_MS = 250;

/** Properties of the input of every subscription. */
export const WAITING = {
  waitSeconds: {
    type: "integer",
    description: "How long to wait while there is nothing new. The answer comes at once when there is.",
    minimum: 1,
    maximum: MAX_WAIT_S,
    default: DEFAULT_WAIT_S,
  },
  maxItems: {
    type: "integer",
    description: "The most items of an answer.",
    minimum: 1,
    maximum: MAX_ITEMS,
    default: DEFAULT_ITEMS,
  },
} satisfies Record<string, JsonSchema>;

export interface Waiting {
  waitMs: number;
  maxItems: number;
}

/** Null: an argument breaks its rule. */
export function readWaiting({
  waitSeconds = DEFAULT_WAIT_S,
  maxItems = DEFAULT_ITEMS,
}: Record<string, unknown>): Waiting | null {
  const isWhole = (value: unknown, max: number): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
  if (!isWhole(waitSeconds, MAX_WAIT_S) || !isWhole(maxItems, MAX_ITEMS)) return null;
  return { waitMs: waitSeconds * 1000, maxItems };
}

/** `data`: of each result. */
export function collectedSchema(data: ObjectSchema): ObjectSchema {
  const [item = { type: "object" }] = Object.values(data.properties);
  return {
    type: "object",
    properties: {
      items: {
        type: "array",
        items: item,
        description: "What came, the oldest first. Empty: nothing came in this time.",
      },
      next: {
        type: ["string", "null"],
        description:
          "Call the tool again with it as after, also without items: nothing is missed or repeated. Null: the tool has no places.",
      },
    },
    required: ["items", "next"],
    additionalProperties: false,
  };
}

export interface Collected {
  /** `next`: null for a subscription that does not follow the log, and where the wait was over before the log was read. */
  data: { items: unknown[]; next: string | null };
  errors: readonly GraphQLError[];
}

/** `signal` ends the wait at once. The subscription has ended when it resolves. */
export async function collectItems(
  results: AsyncIterableIterator<ExecutionResult>,
  { waitMs, maxItems, followsLog }: Waiting & { followsLog: boolean },
  signal: AbortSignal,
): Promise<Collected> {
  const items: unknown[] = [];
  const errors: GraphQLError[] = [];
  let next: string | null = null;
  const startedAt = performance.now();
  try {
    while (items.length < maxItems) {
      // Without a place the call would have been in vain.
      const wholeMs = followsLog && next === null ? MAX_WAIT_S * 1000 : waitMs;
      const untilEndMs = Math.max(0, startedAt + wholeMs - performance.now());
      const leftMs = items.length > 0 ? Math.min(QUIET_MS, untilEndMs) : untilEndMs;
      const step = await nextWithin(results, leftMs, signal);
      if (!step || step.done) break;
      errors.push(...(step.value.errors ?? []));
      next = eventIdOf(step.value) ?? next;
      if (isCheckpoint(step.value)) continue;
      const item = Object.values(step.value.data ?? {})[0];
      if (item == null) break;
      items.push(item);
    }
  } finally {
    await results.return?.();
  }
  return { data: { items, next }, errors };
}

/** Null: nothing came in time. What comes later is after the cursor of the answer, so it is not lost. */
async function nextWithin<T>(items: AsyncIterableIterator<T>, ms: number, signal: AbortSignal) {
  using deadline = startDeadline(ms, signal);
  const { promise, resolve } = Promise.withResolvers<null>();
  const end = () => resolve(null);
  if (deadline.signal.aborted) return null;
  deadline.signal.addEventListener("abort", end, { once: true });
  return await Promise.race([items.next(), promise]);
}
