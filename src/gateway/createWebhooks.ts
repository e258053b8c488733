// How webhooks are read, and what is noticed of them.
import { createEarlyEvents, type EarlyEvents } from "../webhook/earlyEvents.ts";
import { createEndRule, type WhyNoEnd } from "../webhook/endRule.ts";
import { createParseCallEnded, type ParseCallEnded } from "../webhook/parse.ts";
import { createTimeZoneWatch, type TimeZoneWatch } from "../webhook/timeZoneWatch.ts";
import { createWebhookArrivals, type WebhookArrivals } from "../webhook/webhookArrivals.ts";
import { createWebhookTests, type WebhookTests } from "../webhook/webhookTest.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Storage } from "./createStorage.ts";
import type { LiveSecrets } from "./liveSecrets.ts";

export interface Webhooks extends Disposable {
  parse: ParseCallEnded;
  whyNoEnd: WhyNoEnd;
  /** Whether the log keeps the body of each accepted delivery. */
  keepsBodies: boolean;
  earlyEvents: EarlyEvents;
  timeZoneWatch: TimeZoneWatch;
  arrivals: WebhookArrivals;
  tests: WebhookTests;
}

export interface WebhooksDeps extends Pick<Base, "config" | "log"> {
  secrets: Pick<LiveSecrets, "accepted">;
  storage: Storage;
  events: Events;
}

export function createWebhooks({ config, secrets, storage, events: { events }, log }: WebhooksDeps): Webhooks {
  const { webhook, rawDeliveryDays } = config;
  const { timeZone } = config.upstream;
  const parse = createParseCallEnded(timeZone);
  const keepsBodies = rawDeliveryDays > 0;
  const arrivals = createWebhookArrivals({ webhookPath: webhook.path, clock: storage.clock.now, log });
  return {
    parse,
    whyNoEnd: createEndRule(webhook.eventNames),
    keepsBodies,
    earlyEvents: createEarlyEvents({ events, quarantine: storage.store.quarantine, parse, keepsBodies }),
    timeZoneWatch: createTimeZoneWatch({ timeZone, log }),
    arrivals,
    tests: createWebhookTests({
      accepted: secrets.accepted,
      signer: storage.signer,
      path: webhook.path,
      clock: storage.clock.now,
    }),
    [Symbol.dispose]: () => arrivals[Symbol.dispose](),
  };
}
