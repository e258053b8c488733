import type { ConsoleTaskSubscription } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { dateText } from "../../../ui/dateTime/dateParts.ts";
import { readDate } from "../../../ui/dateTime/readDateTime.ts";
import { Fact, Section } from "../../../ui/drawer/Facts.tsx";
import { Time } from "../../../ui/Time.tsx";
import { useTaskChoices } from "../useTaskChoices.ts";
import { texts } from "../texts/texts.ts";

export type DetailedTask = NonNullable<ConsoleTaskSubscription["taskProgress"]>;

export function TaskFacts({ task }: { task: DetailedTask }) {
  const { t: all, format, language } = useLocale();
  const { serviceTimeZone } = useSession();
  const t = useTexts(texts);
  const { assistant, option, summary, suggestion, collectionRate, unread } = task;
  const { none } = all.format;
  const { lineText } = useTaskChoices();
  const rawOf = (name: string) => unread.find(({ field }) => field === name)?.text;
  const hours = option?.periods.map((times) => times.join("–")).join(", ");
  /** The service's document names no format: other texts than a date that begins with its year are shown as they are. */
  function dayWords(text: string): string {
    const read = readDate(text, "ymd");
    const options = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
    return "date" in read && /^\d{4}/.test(text)
      ? dateText(read.date, language === "zh" ? "zh-CN" : "en-GB", options)
      : text;
  }
  const amount = (value: number | null) => (value === null ? none : format.number(value));
  return (
    <>
      <Section title={t.details.facts}>
        <Fact name={t.details.taskId}>{task.taskId}</Fact>
        <Fact name={t.details.assistant}>
          {assistant
            ? `${assistant.name ?? t.onlyId(assistant.assistantId)}, ${t.details.version(assistant.versionId)}`
            : none}
        </Fact>
        <Fact name={t.details.lines}>{option?.lineIds.map(lineText).join(", ") || none}</Fact>
        <Fact name={t.details.firstDay}>{option?.startDate == null ? none : dayWords(option.startDate)}</Fact>
        <Fact name={t.details.periods}>{hours ? `${hours} (${serviceTimeZone})` : none}</Fact>
        <Fact name={t.details.retries}>
          {option?.retryInterval != null && option.retryCount
            ? t.details.retriesAfter(amount(option.retryCount), amount(option.retryInterval))
            : amount(option?.retryCount ?? null)}
        </Fact>
        <Fact name={t.details.collected}>{collectionRate === null ? none : format.percent(collectionRate / 100)}</Fact>
        <Fact name={t.details.created}>
          <Time value={task.createdAt} unread={rawOf("createdAt")} />
        </Fact>
        <Fact name={t.details.updated}>
          <Time value={task.updatedAt} unread={rawOf("updatedAt")} />
        </Fact>
      </Section>
      {(summary || suggestion) && (
        <Section title={t.details.says}>
          {summary && <Fact name={t.details.summary}>{summary}</Fact>}
          {suggestion && <Fact name={t.details.suggestion}>{suggestion}</Fact>}
        </Section>
      )}
      {unread.length > 0 && (
        <Section title={t.details.unread}>
          {unread.map(({ field, text }) => (
            <Fact key={field} name={field}>
              <code>{text}</code>
            </Fact>
          ))}
        </Section>
      )}
    </>
  );
}
