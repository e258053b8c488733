// Draws the outcome of a call at random, from a seed: whether it is answered, its lengths in seconds, and who hangs up.
import type { Direction, Side } from "../world/model.ts";
import type { Random } from "../random.ts";

export interface CallOutcome {
  answered: boolean;
  ringTime: number;
  /** 0 when not answered. */
  talkTime: number;
  hangupSide: Side;
  /** service.md shows no values; these are the sandbox's own. */
  hangupReason: string;
  /** Whether the assistant got all its answers, which collectionRate counts. */
  collected: boolean;
}

type OutcomeKind = "answered" | "busy" | "noAnswer" | "rejected" | "failed";

const OUTBOUND: readonly (readonly [number, OutcomeKind])[] = [
  [58, "answered"],
  [10, "busy"],
  [18, "noAnswer"],
  [9, "rejected"],
  [5, "failed"],
];
/** An assistant answers, or the caller gives up first. */
const INBOUND: readonly (readonly [number, OutcomeKind])[] = [
  [92, "answered"],
  [8, "noAnswer"],
];

/** Shortest and longest ringing, in seconds. */
const UNANSWERED: Record<
  Exclude<OutcomeKind, "answered">,
  { ring: readonly [number, number]; hangupSide: Side; hangupReason: string }
> = {
  busy: { ring: [0, 2], hangupSide: "callee", hangupReason: "busy" },
  rejected: { ring: [3, 12], hangupSide: "callee", hangupReason: "rejected" },
  failed: { ring: [0, 1], hangupSide: "caller", hangupReason: "failed" },
  noAnswer: { ring: [20, 45], hangupSide: "caller", hangupReason: "no answer" },
};

/** `answeredShare`: of outbound calls; default 0.58. */
export function drawOutcome(random: Random, direction: Direction, answeredShare?: number): CallOutcome {
  const kind = random.weighted(direction === "inbound" ? INBOUND : outboundKinds(answeredShare));
  if (kind === "answered") return answeredOutcome(random, direction);
  const { ring, ...hangup } = UNANSWERED[kind];
  return { ...hangup, answered: false, talkTime: 0, collected: false, ringTime: random.int(...ring) };
}

function outboundKinds(answeredShare: number | undefined): typeof OUTBOUND {
  if (answeredShare === undefined) return OUTBOUND;
  const unanswered = OUTBOUND.filter(([, kind]) => kind !== "answered");
  const weight = unanswered.reduce((sum, [each]) => sum + each, 0);
  return [[(weight * answeredShare) / (1 - answeredShare), "answered"], ...unanswered];
}

/** The outcome; one that takes longer than these seconds, at least 5, is cut short anywhere in them. */
export function cutOutcome(random: Random, outcome: CallOutcome, seconds: number): CallOutcome {
  if (outcome.ringTime + outcome.talkTime <= seconds) return outcome;
  const length = random.int(Math.min(5, seconds), seconds);
  const ringTime = Math.min(outcome.ringTime, length - (outcome.answered ? 1 : 0));
  return { ...outcome, ringTime, talkTime: Math.min(outcome.talkTime, length - ringTime) };
}

/** The percentages of a task, from the numbers settled so far. */
export function percentages(settled: { done: number; collected: number; total: number }): {
  progress: number;
  collectionRate: number;
} {
  const percent = (count: number) => (settled.total === 0 ? 0 : (100 * count) / settled.total);
  return { progress: percent(settled.done), collectionRate: percent(settled.collected) };
}

function answeredOutcome(random: Random, direction: Direction): CallOutcome {
  // Most calls are short; a few last minutes.
  const talkTime = Math.round(8 + 170 * random.next() ** 2);
  return {
    answered: true,
    ringTime: direction === "inbound" ? random.int(1, 4) : random.int(3, 22),
    talkTime,
    hangupSide: random.chance(0.6) ? "callee" : "caller",
    hangupReason: "normal",
    collected: random.chance(Math.min(0.9, talkTime / 60)),
  };
}
