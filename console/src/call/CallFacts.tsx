import { Link } from "@tanstack/react-router";
import { useCallTexts } from "./callTexts.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Fact, Section } from "../ui/drawer/Facts.tsx";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import { TaskStatus } from "../views/tasks/TaskStatus.tsx";
import type { Call, CallEvent } from "./useCall.ts";
import styles from "./call.module.css";

export function CallFacts({ call }: { call: Call }) {
  const own = useCallTexts();
  const { t, format } = useLocale();
  const { none } = t.format;
  const { event } = call;
  const amount = (value: number | null) => (value === null ? none : format.number(value));
  return (
    <>
      {event && <Hangup event={event} />}
      <Section title={own.parties}>
        <Fact name={own.caller}>
          <PhoneNumber value={call.caller} />
        </Fact>
        <Fact name={own.callee}>
          <PhoneNumber value={call.callee} />
        </Fact>
      </Section>
      {call.taskId !== null && (
        <Section title={own.task}>
          <Fact name={own.taskName}>
            <Link to="/tasks" search={{ task: call.taskId }}>
              {call.task?.name ?? call.taskId}
            </Link>
          </Fact>
          <Fact name={own.taskId}>{call.taskId}</Fact>
          {call.task && (
            <Fact name={own.status}>
              <TaskStatus task={call.task} />
            </Fact>
          )}
          {event && <Fact name={own.taskItem}>{event.taskItemId ?? none}</Fact>}
        </Section>
      )}
      {call.assistants.length > 0 && (
        <Section title={own.assistants}>
          {call.assistants.map(({ assistantId, versionId, assistant }) => (
            <Fact key={`${assistantId} ${versionId}`} name={assistant?.name ?? assistantId}>
              {assistantId}, {own.version(versionId)}
            </Fact>
          ))}
        </Section>
      )}
      {event && <Extra extra={event.extra ?? null} />}
      <Section title={own.service} hint={own.unit}>
        <Fact name={own.duration}>{amount(call.duration)}</Fact>
        <Fact name={own.billsec}>{amount(call.billsec)}</Fact>
        {event && <Fact name={own.ring}>{amount(event.ringTime)}</Fact>}
        {call.recordFile && <Fact name={own.recordFile}>{call.recordFile}</Fact>}
        <Fact name={own.sessionId}>
          <code>{call.sessionId}</code>
          <CopyButton value={call.sessionId} label={own.copySession} />
        </Fact>
      </Section>
      {call.unread.length > 0 && (
        <Section title={own.unread}>
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
  const own = useCallTexts();
  const { t } = useLocale();
  const { hungUpBy, hangupSide, hangupReason } = event;
  const party = hungUpBy && t.call[hungUpBy === "ASSISTANT" ? "assistantSide" : "customerSide"];
  const side = hangupSide && own[hangupSide === "CALLER" ? "callerSide" : "calleeSide"];
  return (
    <Section title={own.hangup}>
      <Fact name={own.hungUpBy}>{party && side ? `${party} (${side})` : (party ?? side ?? t.format.none)}</Fact>
      <Fact name={own.reason}>{hangupReason ?? t.format.none}</Fact>
    </Section>
  );
}

/** The variables that were given for the number. */
function Extra({ extra }: { extra: Record<string, unknown> | null }) {
  const own = useCallTexts();
  const { holds } = useSession();
  const entries = Object.entries(extra ?? {});
  const why = holds("people:read") ? own.extraNone : own.extraHidden;
  return (
    <Section title={own.extra}>
      {entries.length === 0 && <p className={styles["none"]}>{why}</p>}
      {entries.map(([name, value]) => (
        <Fact key={name} name={name}>
          {typeof value === "string" ? value : JSON.stringify(value)}
        </Fact>
      ))}
    </Section>
  );
}
