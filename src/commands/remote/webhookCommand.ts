// `switchboard doctor --webhook`: waits until a running gateway has accepted a webhook, and says meanwhile why others were refused.
import { setTimeout } from "node:timers/promises";
import { epochMsOf, type Instant } from "../../format/instant.ts";
import { MINUTE_MS } from "../../util/durations.ts";
import { exitCodes } from "../../util/start/exitCodes.ts";
import { zoneErrorMs } from "../../webhook/timeZoneWatch.ts";
import type { WebhookRefusal } from "../../webhook/webhookArrivals.ts";
import { UsageError } from "../options.ts";
import { exitWhenReaderCloses, notify, print, printLine } from "../output.ts";
import { createGatewayClient, GatewayRefusal, type GatewayClient } from "./gatewayClient.ts";

interface Options {
  url?: string | undefined;
  /** Seconds. 0: looks once. */
  timeout?: string | undefined;
  json: boolean;
}

interface Refused {
  since: Instant;
  lastAt: Instant;
  reasons: { reason: WebhookRefusal; count: number }[];
}

export interface Facts {
  gateway: {
    webhooks: {
      lastAcceptedAt: Instant | null;
      unreadableInARow: number;
      refused: Refused | null;
    };
    timesAheadMinutes: number;
    notEnded: number;
  };
  callEndedEvents?: { nodes: { receivedAt: Instant; endAt: Instant | null; source: "WEBHOOK" | "RECONCILED" }[] };
}

const FACTS = `query($calls: Boolean!) {
  gateway { webhooks { lastAcceptedAt unreadableInARow refused { since lastAt reasons { reason count } } } timesAheadMinutes notEnded }
  callEndedEvents(first: 1, order: NEWEST_FIRST, imported: false) @include(if: $calls) { nodes { receivedAt endAt source } } }`;

/** What an operator does about it. */
const ADVICE: Readonly<Record<WebhookRefusal, string>> = {
  MISSING_HEADER:
    "without an Authorization header, which anybody can send. If it is the service's: set the header on its webhook page, and let the proxy in front keep it",
  WRONG_HEADER:
    "with another Authorization header than WEBHOOK_AUTHORIZATION. If it is the service's: set both to the same text, without quotes or a word in front",
  WRONG_METHOD: "with the right header, and not by POST: choose POST on the service's webhook page",
  WRONG_PATH:
    "with the right header, and to another path than WEBHOOK_PATH: compare the address on the service's webhook page, and what the proxy does to the path",
  WRONG_HOST: "with the right header, and a Host header that is no host name: look at the proxy in front",
  TOO_LARGE: "with a body over the limit: is it the webhook of an ended call?",
  NOT_STORED: "and could not be stored: look at the gateway's log and its database",
};

const NONE_ACCEPTED = "none     No webhook was accepted in this time.";
const NOTHING_CAME = `none     No webhook was accepted in this time, and none was refused: nothing reached this gateway. Look at the address on the service's webhook page, the certificate, the proxy and the firewall (docs/your-own-service.md).`;

const INTERVAL_MS = 500;
/** Between the moments at which a webhook was received and accepted. */
const SAME_WEBHOOK_MS = 10_000;
const DEFAULT_TIMEOUT = "300";
const MAX_TIMEOUT_S = 86_400;

/**
 * Resolves with 0 for a webhook that was accepted and read, with 78 where it shows a wrong UPSTREAM_TIME_ZONE, and with 1 where none came
 * in time or it could not be read. Throws where no gateway answers at first, or the key may not ask.
 */
export async function webhookCommand(
  { url, timeout = DEFAULT_TIMEOUT, json }: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const seconds = /^\d{1,5}$/.test(timeout) ? Number(timeout) : MAX_TIMEOUT_S + 1;
  if (seconds > MAX_TIMEOUT_S)
    throw new UsageError(`--timeout must be a whole number of seconds, up to ${MAX_TIMEOUT_S}.`);
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  const ask = await factsOf(gateway);
  const first = await ask();
  if (seconds > 0) notify("Waiting for a webhook. Make a call with the service, or press its button for a test.\n");
  const told = new Set<string>();
  const tell = (text: string) => {
    if (!told.has(text) && !json) print(`${text}\n`);
    told.add(text);
  };
  const earlier = seconds > 0 ? first : null;
  const { refused: before } = first.gateway.webhooks;
  if (earlier && before)
    tell(`before   Refused until now: ${countsOf(before)}. The last one came at ${before.lastAt}.`);
  let reached = false;
  const endAt = performance.now() + seconds * 1000;
  for (let facts = first; ; facts = await ask().catch(again(facts))) {
    for (const reason of refusedSince(earlier, facts)) {
      reached = true;
      tell(`refused  A request came ${ADVICE[reason]}.`);
    }
    const found = judge(facts, first, seconds > 0);
    const { lastAcceptedAt } = facts.gateway.webhooks;
    if (found === null && lastAcceptedAt !== null && isOld(lastAcceptedAt))
      tell(`before   A webhook was accepted at ${lastAcceptedAt}. It waits for a newer one.`);
    if (found !== null || performance.now() >= endAt) {
      const verdict = found ?? {
        outcome: "none",
        text: reached ? NONE_ACCEPTED : NOTHING_CAME,
        code: exitCodes.failure,
      };
      tell(verdict.text);
      if (json) await printLine({ outcome: verdict.outcome, ...facts.gateway });
      return verdict.code;
    }
    await setTimeout(Math.min(INTERVAL_MS, endAt - performance.now()));
  }
}

const countsOf = ({ reasons }: Refused) => reasons.map(({ reason, count }) => `${count} ${reason}`).join(", ");

/** The reasons of what was refused after `earlier`; null: of all. A webhook that was accepted, or a new start, begins the counts anew. */
function refusedSince(earlier: Facts | null, facts: Facts): WebhookRefusal[] {
  const { refused } = facts.gateway.webhooks;
  const before = earlier?.gateway.webhooks.refused;
  const known = before?.since === refused?.since ? before?.reasons : undefined;
  return (refused?.reasons ?? [])
    .filter(({ reason, count }) => count > (known?.find((other) => other.reason === reason)?.count ?? 0))
    .map(({ reason }) => reason);
}

/** Without calls:read, the end of the call is not asked for. */
async function factsOf(gateway: GatewayClient): Promise<() => Promise<Facts>> {
  const { viewer } = await gateway.query<{ viewer: { scopes: string[] } }>("{ viewer { scopes } }");
  const calls = viewer.scopes.includes("calls:read");
  return () => gateway.query<Facts>(FACTS, { calls });
}

/** A gateway that starts anew answers soon. */
const again =
  (facts: Facts) =>
  (error: unknown): Facts => {
    if (error instanceof GatewayRefusal) throw error;
    return facts;
  };

export interface Verdict {
  outcome: "arrived" | "unreadable" | "wrongTimeZone" | "none";
  text: string;
  code: number;
}

const OLD_MS = 10 * MINUTE_MS;
const isOld = (acceptedAt: Instant) => Date.now() - epochMsOf(acceptedAt) > OLD_MS;

/**
 * Null: there is nothing to judge yet. One that was accepted before counts, unless others were refused after it, or it is old and there
 * is time to wait for another one.
 */
export function judge(facts: Facts, first: Facts, waits: boolean): Verdict | null {
  const { webhooks, timesAheadMinutes, notEnded } = facts.gateway;
  const { lastAcceptedAt, unreadableInARow, refused } = webhooks;
  if (lastAcceptedAt === null || (waits && isOld(lastAcceptedAt))) return null;
  if (refused !== null && lastAcceptedAt === first.gateway.webhooks.lastAcceptedAt) return null;
  if (unreadableInARow > 0)
    return {
      outcome: "unreadable",
      text: "unread   A webhook was accepted, and could not be read: switchboard quarantine shows it, and why.",
      code: exitCodes.failure,
    };
  const arrived = `arrived  A webhook was accepted and read at ${lastAcceptedAt}.`;
  const ahead = timesAheadMinutes || newestAheadMinutes(facts);
  if (ahead > 0 || timesAheadMinutes < 0)
    return {
      outcome: "wrongTimeZone",
      text: `${arrived}\nzone     By UPSTREAM_TIME_ZONE calls end ${Math.abs(ahead)} minutes ${ahead > 0 ? "after" : "before"} their webhooks come: it is wrong. switchboard doctor finds the right one.`,
      code: exitCodes.configuration,
    };
  const notes = [
    ...(ahead < 0
      ? [`zone     Its call ended ${-ahead} minutes before: it came late, or UPSTREAM_TIME_ZONE is wrong.`]
      : []),
    ...(notEnded > first.gateway.notEnded || (notEnded > 0 && facts.callEndedEvents?.nodes.length === 0)
      ? ["kept     It does not end a call, and is kept aside: switchboard quarantine --not-ended shows it."]
      : []),
  ];
  return { outcome: "arrived", text: [arrived, ...notes].join("\n"), code: exitCodes.success };
}

/** By how much the newest call ends after its webhook, as a difference of zones; negative: before. 0: nothing is suspected. */
function newestAheadMinutes({ callEndedEvents, gateway: { webhooks } }: Facts): number {
  const [newest] = callEndedEvents?.nodes ?? [];
  if (!newest?.endAt || newest.source !== "WEBHOOK" || webhooks.lastAcceptedAt === null) return 0;
  const apartMs = epochMsOf(newest.receivedAt) - epochMsOf(webhooks.lastAcceptedAt);
  // Another webhook brought it, perhaps before UPSTREAM_TIME_ZONE was set right.
  if (Math.abs(apartMs) > SAME_WEBHOOK_MS) return 0;
  return zoneErrorMs(epochMsOf(newest.endAt) - epochMsOf(newest.receivedAt)) / MINUTE_MS;
}
