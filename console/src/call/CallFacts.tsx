import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { Fact, Section } from "../ui/drawer/Facts.tsx";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import type { Call, CallEvent } from "./useCall.ts";
import styles from "./call.module.css";

export function CallFacts({ call }: { call: Call }) {
  const { t, format } = useLocale();
  const { none } = t.format;
  const { event } = call;
  const amount = (value: number | null) => (value === null ? none : format.number(value));
  return (
    <>
      {event && <Hangup event={event} />}
      <Section title={t.call.parties}>
        <Fact name={t.call.caller}>
          <PhoneNumber value={call.caller} />
        </Fact>
        <Fact name={t.call.callee}>
          <PhoneNumber value={call.callee} />
        </Fact>
      </Section>
      {call.taskId !== null && (
        <Section title={t.call.task}>
          <Fact name={call.task?.name ?? t.call.task}>{call.taskId}</Fact>
          {call.task && <Fact name={t.call.status}>{call.task.status}</Fact>}
          {event && <Fact name={t.call.taskItem}>{event.taskItemId ?? none}</Fact>}
        </Section>
      )}
      {call.assistants.length > 0 && (
        <Section title={t.call.assistants}>
          {call.assistants.map(({ assistantId, versionId, assistant }) => (
            <Fact key={`${assistantId} ${versionId}`} name={assistant?.name ?? assistantId}>
              {assistantId}, {t.call.version(versionId)}
            </Fact>
          ))}
        </Section>
      )}
      {event && <Extra extra={event.extra ?? null} />}
      <Section title={t.call.service} hint={t.call.unit}>
        <Fact name={t.call.duration}>{amount(call.duration)}</Fact>
        <Fact name={t.call.billsec}>{amount(call.billsec)}</Fact>
        {event && <Fact name={t.call.ring}>{amount(event.ringTime)}</Fact>}
        {call.recordFile && <Fact name={t.call.recordFile}>{call.recordFile}</Fact>}
        <Fact name={t.call.sessionId}>
          <code>{call.sessionId}</code>
        </Fact>
      </Section>
      {call.unread.length > 0 && (
        <Section title={t.call.unread}>
          {call.unread.map(({ field, text }) => (
            <Fact key={field} name={field}>
              <code>{text}</code>
            </Fact>
          ))}
        </Section>
      )}
    </>
  );
}

function Hangup({ event }: { event: CallEvent }) {
  const { t } = useLocale();
  const { hungUpBy, hangupSide, hangupReason } = event;
  const party = hungUpBy && t.call[hungUpBy === "ASSISTANT" ? "assistantSide" : "customerSide"];
  const side = hangupSide && t.call[hangupSide === "CALLER" ? "callerSide" : "calleeSide"];
  return (
    <Section title={t.call.hangup}>
      <Fact name={t.call.hungUpBy}>{party && side ? `${party} (${side})` : (party ?? side ?? t.format.none)}</Fact>
      <Fact name={t.call.reason}>{hangupReason ?? t.format.none}</Fact>
    </Section>
  );
}

/** The variables that were given for the number. */
function Extra({ extra }: { extra: Record<string, unknown> | null }) {
  const { t } = useLocale();
  const { holds } = useSession();
  const entries = Object.entries(extra ?? {});
  const why = holds("people:read") ? t.call.extraNone : t.call.extraHidden;
  return (
    <Section title={t.call.extra}>
      {entries.length === 0 && <p className={styles["none"]}>{why}</p>}
      {entries.map(([name, value]) => (
        <Fact key={name} name={name}>
          {typeof value === "string" ? value : JSON.stringify(value)}
        </Fact>
      ))}
    </Section>
  );
}
