// When the call started, was answered and ended, and when the gateway knew of it.
import { useCallTexts } from "./callTexts.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { Section } from "../ui/drawer/Facts.tsx";
import type { Call } from "./useCall.ts";
import styles from "./call.module.css";

interface Step {
  what: string;
  at: string | null;
  /** What happened until the next step. */
  until?: string | undefined;
  kind?: "answered" | "missed";
  unread?: string | undefined;
}

export function CallTimeline({ call }: { call: Call }) {
  const own = useCallTexts();
  const { t, format } = useLocale();
  const { serviceTimeZone } = useSession();
  const between = (from: string | null, to: string | null) =>
    from && to ? format.duration(Math.max(0, Date.parse(to) - Date.parse(from))) : null;
  const textOf = (field: string) => call.unread.find((each) => each.field === field)?.text;
  const rang = between(call.startAt, call.answerAt ?? call.endAt);
  const talked = between(call.answerAt, call.endAt);
  const receivedAt = call.event?.receivedAt ?? null;
  const late = between(call.endAt, receivedAt);
  const steps: Step[] = [
    {
      what: own.started,
      at: call.startAt,
      until: rang === null ? undefined : own.ringing(rang),
      unread: textOf("startAt"),
    },
    call.answered === false
      ? { what: own.noAnswer, at: null, kind: "missed" }
      : {
          what: own.answer,
          at: call.answerAt,
          kind: "answered",
          until: talked === null ? undefined : own.talk(talked),
          unread: textOf("answerAt"),
        },
    {
      what: own.ended,
      at: call.endAt,
      until: late === null ? undefined : own.receivedAfter(late),
      unread: textOf("endAt"),
    },
    ...(receivedAt === null ? [] : [{ what: own.received, at: receivedAt }]),
  ];
  const day = call.startAt ?? call.endAt ?? receivedAt;
  return (
    <Section title={own.timeline}>
      <ol className={styles["timeline"]}>
        {steps.map(({ what, at, until, kind, unread }) => (
          <li key={what} data-kind={kind}>
            <span>{what}</span>
            {at ? (
              <time
                dateTime={at}
                title={`${format.exact(at)}\n${format.exact(at, serviceTimeZone)} (${t.format.service})`}
              >
                {format.timeOfDay(at)}
              </time>
            ) : (
              <span title={unread}>{unread === undefined ? "" : t.format.unknown}</span>
            )}
            {until && <span className={styles["until"]}>{until}</span>}
          </li>
        ))}
      </ol>
      {day && (
        <p className={styles["zones"]}>
          {format.exact(day)}
          <br />
          {format.exact(day, serviceTimeZone)} ({t.format.service})
        </p>
      )}
    </Section>
  );
}
