import { useLocale } from "../locale/Locale.tsx";
import type { Format } from "../locale/format.ts";
import type { Texts } from "../texts/en.ts";
import type { Judgement } from "./judge.ts";

/** A judgement in words. */
export function useStateText(): (judgement: Judgement, now: number) => string {
  const { t, format } = useLocale();
  return (judgement, now) => stateText(judgement, now, t.state, format);
}

function stateText(judgement: Judgement, now: number, t: Texts["state"], format: Format): string {
  switch (judgement.is) {
    case "gatewayAway":
    case "offline":
      return t[judgement.is](format.timeOfDay(judgement.answeredAt));
    case "webhooksRefused":
      return t.webhooksRefused(sinceText(judgement.since, now, format), format.number(judgement.count));
    case "someRefused":
      return t.someRefused(format.number(judgement.refused), format.number(judgement.of));
    case "withoutWebhook":
      return t.withoutWebhook(format.number(judgement.calls), format.number(judgement.of));
    case "webhooksUnread":
      return t.webhooksUnread(format.number(judgement.count));
    case "serviceAway":
      return t.serviceAway(sinceText(judgement.since, now, format));
    case "timesOff":
      return t.timesOff(format.number(judgement.minutes / 60));
    case "reconnecting":
      return t.reconnecting(format.number(Math.max(1, Math.ceil((judgement.until - now) / 1000))));
    case "catchingUp":
      return judgement.behindMs ? t.behind(format.duration(judgement.behindMs)) : t.catchingUp;
    case "webhooksArrive":
      return t.webhooksArrive(format.ago(judgement.lastAt, now), format.number(judgement.lastMinute));
    case "storeAway":
    case "tokenRefused":
    case "connecting":
    case "ended":
    case "following":
    case "idle":
    case "checking":
    case "unseen":
    case "gatewayAnswers":
    case "serviceAnswers":
    case "serviceUnsteady":
    case "timesFit":
    case "noWebhook":
      break;
  }
  return t[judgement.is];
}

/** What a screen reader hears when the state changes: without the numbers that change with every look. */
export function spokenText(judgement: Judgement, now: number, t: Texts["state"], format: Format): string {
  if (judgement.is === "webhooksRefused") return t.webhooksRefused(sinceText(judgement.since, now, format), "");
  if (judgement.is === "webhooksUnread") return t.webhooksUnread("");
  if (judgement.is === "someRefused") return t.someRefusedShort;
  if (judgement.is === "reconnecting") return t.connecting;
  if (judgement.is === "catchingUp") return t.catchingUp;
  return stateText(judgement, now, t, format);
}

const DAY_MS = 20 * 3_600_000;

/** The time of day; with its date where that is another one. */
function sinceText(since: string | number, now: number, format: Format): string {
  const at = new Date(since).getTime();
  return now - at < DAY_MS ? format.timeOfDay(at).slice(0, 5) : format.minute(new Date(at).toISOString());
}
