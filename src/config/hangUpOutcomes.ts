// What became of a call that nobody answered, by its hang-up reason. The service's document names no reasons (service.md, section 2.2). So
// the table has what telephone systems write, and an operator adds the service's own words (HANGUP_OUTCOMES).
// Sources: https://developer.signalwire.com/freeswitch/reference/hangup-causes/ and
// https://docs.asterisk.org/Configuration/Miscellaneous/Hangup-Cause-Mappings
import { z } from "zod";
import { withoutAccents } from "../util/text/plainText.ts";

export const recipientOutcomes = ["REACHED", "NO_ANSWER", "BUSY", "REJECTED", "FAILED", "OTHER"] as const;
export type RecipientOutcome = (typeof recipientOutcomes)[number];

/** A call that was not answered: an answer is seen in the call itself, never in a reason. */
export const unansweredOutcomes = ["NO_ANSWER", "BUSY", "REJECTED", "FAILED", "OTHER"] as const;
export type UnansweredOutcome = (typeof unansweredOutcomes)[number];

export interface HangUpOutcome {
  /** As `reasonKey` writes it. */
  reason: string;
  outcome: UnansweredOutcome;
}

/** Names of Q.850, its numbers, those of SIP, and what people write. */
const REASONS: Record<Exclude<UnansweredOutcome, "OTHER">, readonly string[]> = {
  NO_ANSWER: [
    ..."NO ANSWER|NOANSWER|UNANSWERED|NOT ANSWERED|NO USER RESPONSE|NO RESPONSE|ORIGINATOR CANCEL|CANCEL|CANCELED".split(
      "|",
    ),
    ..."CANCELLED|TIMEOUT|RING TIMEOUT|PROGRESS TIMEOUT|ALLOTTED TIMEOUT|REQUEST TIMEOUT|18|19|408|480|487".split("|"),
    ..."无人接听|無人接聽|未接听|未接通|无应答|無應答|不在".split("|"),
  ],
  BUSY: "BUSY|USER BUSY|BUSY HERE|BUSY EVERYWHERE|LINE BUSY|17|486|600|忙|占线|用户忙|用戶忙|正忙|通话中|話中".split(
    "|",
  ),
  REJECTED: [
    ..."REJECTED|REJECT|CALL REJECTED|DECLINE|DECLINED|DENIED|BLOCKED|21|603|607".split("|"),
    ..."拒接|拒绝|拒絕|用户拒接|用户拒绝|着信拒否".split("|"),
  ],
  FAILED: [
    ..."FAILED|FAILURE|ERROR|CALL FAILED|UNALLOCATED NUMBER|UNALLOCATED|INVALID NUMBER|INVALID NUMBER FORMAT".split(
      "|",
    ),
    ..."NUMBER CHANGED|NO ROUTE DESTINATION|NO ROUTE TRANSIT NET|DESTINATION OUT OF ORDER|NETWORK OUT OF ORDER".split(
      "|",
    ),
    ..."SUBSCRIBER ABSENT|UNREACHABLE|NOT FOUND|CONGESTION|NORMAL TEMPORARY FAILURE|TEMPORARY FAILURE".split("|"),
    ..."NORMAL CIRCUIT CONGESTION|SWITCH CONGESTION|SERVICE UNAVAILABLE|RECOVERY ON TIMER EXPIRE".split("|"),
    ..."INCOMPATIBLE DESTINATION|OUTGOING CALL BARRED|1|2|3|20|22|27|28|34|38|41|42|404|410|484|500|502|503|504|604".split(
      "|",
    ),
    ..."空号|空號|停机|停機|关机|關機|无法接通|無法接通|号码错误|不存在|失败".split("|"),
  ],
};

/** Case, accents and what stands between words do not matter: `user-busy` and `USER_BUSY` are one reason. */
export const reasonKey = (reason: string): string =>
  withoutAccents(reason)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const DEFAULTS: ReadonlyMap<string, UnansweredOutcome> = new Map(
  Object.entries(REASONS).flatMap(([outcome, reasons]) =>
    reasons.map((reason) => [reasonKey(reason), outcome as UnansweredOutcome] as const),
  ),
);

/** `486 Busy here`, `SIP 486`, `SIP/2.0 486`, `Q.850;cause=17`. */
const CODE = /^(?:SIP (?:2 0 )?|Q ?850 (?:CAUSE )?)?(\d{1,3})(?= |$)/;

/** The entries of an operator come first. OTHER: the reason is in no table, or there is none. */
export function outcomeOfReason(reason: string | null, own: readonly HangUpOutcome[]): UnansweredOutcome {
  if (reason === null) return "OTHER";
  const key = reasonKey(reason);
  const named = own.find((each) => each.reason === key)?.outcome ?? DEFAULTS.get(key);
  return named ?? DEFAULTS.get(CODE.exec(key)?.[1] ?? "") ?? "OTHER";
}

const MAX_REASONS = 200;
const isOutcome = (text: string): text is UnansweredOutcome => unansweredOutcomes.some((each) => each === text);

/** HANGUP_OUTCOMES: pairs of a reason and an outcome, separated by commas. A reason may have `=`, but no comma. */
export const hangUpOutcomes = z
  .string()
  .transform((text) => text.split(",").map(readPair))
  .refine(
    (pairs): pairs is HangUpOutcome[] => pairs.every(({ reason, outcome }) => reason !== "" && isOutcome(outcome)),
    `must be reason=OUTCOME pairs separated by commas, such as line dead=FAILED, with an outcome of ${unansweredOutcomes.join(", ")}`,
  )
  .refine((pairs) => new Set(pairs.map(({ reason }) => reason)).size === pairs.length, "must name each reason once")
  .refine((pairs) => pairs.length <= MAX_REASONS, `must have at most ${MAX_REASONS} pairs`);

function readPair(pair: string): { reason: string; outcome: string } {
  const at = pair.lastIndexOf("=");
  return { reason: reasonKey(pair.slice(0, Math.max(0, at))), outcome: pair.slice(at + 1).trim() };
}
