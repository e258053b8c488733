// How many people were dialled, answered, and talked for a while; and those who were not reached, who may be called again.
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Section } from "../../../ui/drawer/Facts.tsx";
import { Amount } from "../Amount.tsx";
import { funnelOf } from "../funnelOf.ts";
import { texts } from "../texts/texts.ts";
import type { DetailedTask } from "./TaskFacts.tsx";
import { CopyPlan } from "./CopyPlan.tsx";
import { planOf } from "./planOf.ts";
import { useRecipientCounts } from "./useRecipientCounts.ts";
import { useTalks } from "./useTalks.ts";
import styles from "./details.module.css";

export function FunnelSection({ task }: { task: DetailedTask }) {
  const { t: all, format } = useLocale();
  const t = useTexts(texts);
  const { numbers, isPartial, ...counted } = funnelOf(task);
  const people = useRecipientCounts(task.taskId, task.taskCalls?.calls ?? null);
  const byOutcome = people?.byOutcome ?? [];
  const reached = byOutcome.find(({ outcome }) => outcome === "REACHED")?.recipients ?? 0;
  const missed = byOutcome.filter(({ outcome }) => outcome !== "REACHED");
  const dialled = people?.recipients ?? counted.dialled;
  const answered = people ? reached : counted.answered;
  const isOver = task.status === "DONE" || task.status.startsWith("STOP");
  const talks = useTalks(task.taskId, task.taskCalls?.answered ?? null);
  const highest = Math.max(1, numbers ?? 0, dialled ?? 0);
  const steps = [
    { name: t.details.numbers, value: numbers, isAtLeast: false },
    { name: t.details.dialled, value: dialled, isAtLeast: isPartial },
    { name: t.details.answered, value: answered, isAtLeast: isPartial },
    { name: t.details.talked, value: talks.count, isAtLeast: isPartial || !talks.isComplete },
  ];
  return (
    <Section title={t.details.funnel} hint={t.counted}>
      <table className={styles["bars"]}>
        <thead className="hidden">
          <tr>
            <th scope="col">{t.details.funnel}</th>
            <th scope="col">{t.details.numbers}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ name, value, isAtLeast }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <span className={styles["barTrack"]} aria-hidden="true">
                  <span style={{ transform: `scaleX(${(value ?? 0) / highest})` }} />
                </span>
                <span className={styles["amount"]}>
                  <Amount value={value} isAtLeast={isAtLeast} />
                </span>
                <span className={styles["share"]}>
                  {value !== null && numbers ? format.percent(value / numbers) : all.format.none}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {missed.length > 0 && (
        <div className={styles["missed"]}>
          <p>
            {t.details.missed}{" "}
            {missed.map(({ outcome, recipients }) => t.details.outcomes[outcome](format.number(recipients))).join(", ")}
          </p>
          {isOver && people ? (
            <CopyPlan
              plan={planOf(task)}
              again={{ taskId: task.taskId, name: task.name ?? task.taskId, people: people.recipients - reached }}
            />
          ) : (
            <p className={styles["none"]}>{t.details.againWhenOver}</p>
          )}
        </div>
      )}
    </Section>
  );
}
