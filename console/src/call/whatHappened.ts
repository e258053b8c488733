// What happened in a call, in one sentence. Its durations are those of the call's times. What is not known is said, not guessed.
import type { ConsoleCallQuery } from "../gql/graphql.ts";
import type { Format } from "../locale/format.ts";
import type { Language } from "../locale/preferences.ts";
import type { Widened } from "../texts/widened.ts";
import type { en } from "./texts/en.ts";

type CallEvent = NonNullable<ConsoleCallQuery["callEnded"]>;

export type HappenedCall = Pick<CallEvent, "answered" | "direction" | "startAt" | "answerAt" | "endAt" | "unread"> & {
  /** Null: the log has no event of this call. */
  event: Pick<CallEvent, "hangupReason" | "hangupSide" | "hungUpBy"> | null;
};

/** Between two clauses, and at the end. */
const MARKS = { en: ["; ", "."], zh: ["；", "。"] } as const;

export function whatHappened(
  call: HappenedCall,
  own: Widened<typeof en>,
  { language, format }: { language: Language; format: Pick<Format, "duration"> },
): string {
  const [between, end] = MARKS[language];
  return clausesOf(call, own, format.duration).join(between) + end;
}

function clausesOf(call: HappenedCall, own: Widened<typeof en>, duration: (ms: number) => string): string[] {
  const { answered, event, startAt, answerAt, endAt } = call;
  const between = (from: string | null, to: string | null): string | null => {
    const ms = from && to ? Date.parse(to) - Date.parse(from) : -1;
    return ms < 0 ? null : duration(ms);
  };
  if (isUnderWay(call)) return [answerAt ? own.isAnswered : own.isUnderWay];
  const reason = event?.hangupReason ?? null;
  const hungUp = hungUpOf(call, own);
  if (answered === null) return [own.answerUnknown, ...(reason ? [own.statedReason(reason)] : []), ...hungUp];
  if (answered) {
    const talk = between(answerAt, endAt);
    return [talk === null ? own.spokeUnknown : own.spoke(talk), ...hungUp];
  }
  const rang = between(startAt, endAt);
  const missed = reason ? own.missedFor(reason) : own.noAnswer;
  return [
    rang === null ? missed : missed + own.afterRinging(rang),
    ...(event && !reason ? [own.noReason] : []),
    ...(rang === null ? [own.ringUnknown] : []),
  ];
}

/** A call that only the service lists has no end while it goes on, and one that could not be read has a text. */
export const isUnderWay = ({ endAt, event, unread }: Pick<HappenedCall, "endAt" | "event" | "unread">): boolean =>
  endAt === null && event === null && unread.every(({ field }) => field !== "endAt");

/** Only an event tells who hung up. */
function hungUpOf({ event, direction }: HappenedCall, own: Widened<typeof en>): string[] {
  if (!event) return [];
  const { hungUpBy, hangupSide } = event;
  if (hungUpBy === "ASSISTANT") return [own.assistantHungUp];
  if (hungUpBy === "CUSTOMER") return [direction === "INBOUND" ? own.callerHungUp : own.calledHungUp];
  if (hangupSide) return [hangupSide === "CALLER" ? own.callerSideHungUp : own.calleeSideHungUp];
  return [own.hungUpUnknown];
}
