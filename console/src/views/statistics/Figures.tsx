// The totals of a range, each with its change in words and with a sign.
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import type { Statistics } from "./useStatistics.ts";
import styles from "./statistics.module.css";

export function Figures({ statistics: { stats, before } }: { statistics: Statistics }) {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const { calls, answered, numbersCalled, numbersReached } = stats;
  const rate = shareOf(answered, calls);
  const rateBefore = before && shareOf(before.answered, before.calls);

  function amountChange(now: number, then: number | undefined): Change {
    if (!before) return { words: t.beforeUnread };
    if (then === undefined || then === 0) return { words: t.nothingBefore };
    if (now === then) return { words: t.same, was: format.number(then) };
    const amount = format.percent(Math.abs(now - then) / then);
    return { words: now > then ? t.more(amount) : t.fewer(amount), was: format.number(then) };
  }
  function rateChange(): Change {
    if (!before) return { words: t.beforeUnread };
    if (rate === null || rateBefore == null) return { words: t.nothingBefore };
    const points = Math.round((rate - rateBefore) * 1000) / 10;
    const was = format.percent(rateBefore);
    if (points === 0) return { words: t.same, was };
    const amount = format.number(Math.abs(points));
    return { words: points > 0 ? t.higher(amount) : t.lower(amount), was };
  }
  return (
    <dl className={styles["figures"]} aria-label={t.figures}>
      <Figure name={t.calls} value={format.number(calls)} change={amountChange(calls, before?.calls)} />
      <Figure name={t.answered} value={format.number(answered)} change={amountChange(answered, before?.answered)} />
      <Figure
        name={t.answerRate}
        value={rate === null ? shared.format.none : format.percent(rate)}
        change={rateChange()}
      />
      <Figure
        name={t.reached}
        value={format.number(numbersReached)}
        of={numbersCalled === 0 ? t.noNumbers : t.reachedOf(format.number(numbersCalled))}
        change={amountChange(numbersReached, before?.numbersReached)}
      />
    </dl>
  );
}

/** `was`: the value of the range before. */
interface Change {
  words: string;
  was?: string;
}

function Figure(props: { name: string; value: string; of?: string; change: Change }) {
  const { name, value, of, change } = props;
  const t = useTexts({ en, zh });
  return (
    <div className={styles["figure"]}>
      <dt>{name}</dt>
      <dd className={styles["value"]}>
        {value} {of !== undefined && <span>{of}</span>}
      </dd>
      <dd className={styles["change"]}>
        {change.words}
        {change.was !== undefined && <span> · {t.before(change.was)}</span>}
      </dd>
    </div>
  );
}

/** Null for nothing of nothing. */
const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
