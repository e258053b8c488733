// Judges the facts: a line for each subject, and the worst of them for the bar of every view.
import type { ConnectionState } from "switchboard-client";
import type { WebhookRefusal } from "../gql/graphql.ts";
import type { Facts } from "./factsStore.ts";

export const subjects = ["gateway", "webhooks", "service", "times", "live"] as const;
export type Subject = (typeof subjects)[number];

/** `quiet`: not known. */
export type Tone = "bad" | "warning" | "busy" | "quiet" | "good";

export type Judgement =
  | { is: "gatewayAway"; answeredAt: number }
  | { is: "offline"; answeredAt: number }
  | { is: "storeAway" }
  | { is: "webhooksRefused"; since: string; count: number; reason: WebhookRefusal }
  | { is: "someRefused"; refused: number; of: number }
  | { is: "webhooksUnread"; count: number }
  | { is: "withoutWebhook"; calls: number; of: number }
  | { is: "serviceAway"; since: string | number }
  | { is: "tokenRefused" }
  | { is: "timesOff"; minutes: number }
  | { is: "reconnecting"; until: number }
  | { is: "catchingUp"; behindMs: number | null }
  | { is: "connecting" | "ended" | "following" | "idle" }
  | { is: "checking" | "unseen" }
  | { is: "gatewayAnswers" | "serviceAnswers" | "serviceUnsteady" | "timesFit" | "noWebhook" }
  | { is: "webhooksArrive"; lastAt: string; lastMinute: number };

export interface StateLine {
  subject: Subject;
  tone: Tone;
  judgement: Judgement;
}

export interface Judged {
  lines: readonly StateLine[];
  /** The first line of the worst tone. Null: nothing is known to be wrong. */
  worst: StateLine | null;
  /** Whether the page shows what it read before the gateway went away. */
  isOld: boolean;
  /** Whether webhooks and times could be judged. */
  isWhole: boolean;
}

export interface Known {
  facts: Facts;
  connection: ConnectionState;
  isOnline: boolean;
  isAdmin: boolean;
}

/** From this many of the last ten calls on, webhooks do not arrive as they should. */
const MANY_WITHOUT = 3;
/** From this many in a row on it is not a stray request or a single odd event. */
const MANY_IN_A_ROW = 3;
const TONES: readonly Tone[] = ["bad", "warning", "busy"];

export function judge({ facts, connection, isOnline, isAdmin }: Known): Judged {
  const lines = [
    ofGateway(facts, isOnline),
    ofWebhooks(facts, isAdmin),
    ofService(facts, isAdmin),
    ofTimes(facts, isAdmin),
    ofLive(connection),
  ];
  const worst = TONES.map((tone) => lines.find((line) => line.tone === tone)).find((line) => line !== undefined);
  const isOld = facts.awaySince !== null || !isOnline;
  return { lines, worst: worst ?? null, isOld, isWhole: facts.gateway !== null };
}

const line = (subject: Subject, tone: Tone, judgement: Judgement): StateLine => ({ subject, tone, judgement });

function ofGateway({ answeredAt, awaySince, isStoreAway }: Facts, isOnline: boolean): StateLine {
  if (!isOnline) return line("gateway", "bad", { is: "offline", answeredAt });
  if (awaySince !== null) return line("gateway", "bad", { is: "gatewayAway", answeredAt });
  return isStoreAway ? line("gateway", "bad", { is: "storeAway" }) : line("gateway", "good", { is: "gatewayAnswers" });
}

function ofWebhooks({ gateway, withoutWebhook }: Facts, isAdmin: boolean): StateLine {
  if (!gateway) return line("webhooks", "quiet", { is: isAdmin ? "checking" : "unseen" });
  const { refused, refusedLastMinute, acceptedLastMinute, lastAcceptedAt, unreadableInARow } = gateway.webhooks;
  if (refused) {
    const { since, count, reasons } = refused;
    const [most] = reasons.toSorted((one, other) => other.count - one.count);
    const isStray = count < MANY_IN_A_ROW && !(withoutWebhook && withoutWebhook.calls > 0);
    const tone = isStray ? "warning" : "bad";
    return line("webhooks", tone, { is: "webhooksRefused", since, count, reason: most?.reason ?? "WRONG_HEADER" });
  }
  if (unreadableInARow >= MANY_IN_A_ROW)
    return line("webhooks", "bad", { is: "webhooksUnread", count: unreadableInARow });
  if (refusedLastMinute > 0) {
    const of = refusedLastMinute + acceptedLastMinute;
    return line("webhooks", "warning", { is: "someRefused", refused: refusedLastMinute, of });
  }
  if (withoutWebhook !== null && withoutWebhook.calls >= MANY_WITHOUT)
    return line("webhooks", "warning", { is: "withoutWebhook", ...withoutWebhook });
  return lastAcceptedAt === null
    ? line("webhooks", "quiet", { is: "noWebhook" })
    : line("webhooks", "good", { is: "webhooksArrive", lastAt: lastAcceptedAt, lastMinute: acceptedLastMinute });
}

function ofService({ gateway, serviceFailedSince }: Facts, isAdmin: boolean): StateLine {
  const failingSince = gateway?.serviceFailingSince ?? null;
  if (gateway?.tokenRefused && failingSince === null) return line("service", "bad", { is: "tokenRefused" });
  const since = failingSince ?? serviceFailedSince;
  if (since !== null) return line("service", "bad", { is: "serviceAway", since });
  if (!gateway) return line("service", "quiet", { is: isAdmin ? "checking" : "unseen" });
  // Wrong times degrade it, too, and have a line of their own.
  const isUnsteady = gateway.upstream !== "HEALTHY" && gateway.timesAheadMinutes === 0;
  return isUnsteady
    ? line("service", "busy", { is: "serviceUnsteady" })
    : line("service", "good", { is: "serviceAnswers" });
}

function ofTimes({ gateway }: Facts, isAdmin: boolean): StateLine {
  if (!gateway) return line("times", "quiet", { is: isAdmin ? "checking" : "unseen" });
  const minutes = Math.abs(gateway.timesAheadMinutes);
  return minutes > 0
    ? line("times", "warning", { is: "timesOff", minutes })
    : line("times", "good", { is: "timesFit" });
}

function ofLive(state: ConnectionState): StateLine {
  if (state.name === "waiting") return line("live", "warning", { is: "reconnecting", until: state.until.getTime() });
  if (state.name === "catchingUp") return line("live", "busy", { is: "catchingUp", behindMs: state.behindMs });
  if (state.name === "connecting") return line("live", "busy", { is: "connecting" });
  if (state.name === "ended") return line("live", "warning", { is: "ended" });
  return state.name === "live" ? line("live", "good", { is: "following" }) : line("live", "quiet", { is: "idle" });
}
