// The numbers that no task calls: how many there are, whether a number is among them, and its change by one or by a table.
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useOld } from "../../../state/StateProvider.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { texts } from "../texts/texts.ts";
import { LookUp } from "./LookUp.tsx";
import { ManyNumbers } from "./ManyNumbers.tsx";
import type { NeverCallCount } from "./useNeverCallCount.ts";
import styles from "../privacy.module.css";

export function NeverCallList({ count }: { count: NeverCallCount }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  const { data, error, failedSince, retryAt, answeredAt, refetch } = count;
  const isOld = useOld(error);
  const entries = data?.doNotCall?.count;
  return (
    <>
      <section className={styles["section"]} aria-labelledby="never-call">
        <h2 id="never-call">{t.list}</h2>
        <p className={styles["lead"]}>{t.listHint}</p>
        {error && (
          <ErrorBar
            code={error.code}
            what={t.listFailed}
            since={failedSince}
            retryAt={retryAt}
            asOf={answeredAt}
            onRetry={refetch}
          />
        )}
        {entries !== undefined && (
          <p data-old={isOld}>
            <strong>{t.entries(format.number(entries))}</strong>{" "}
            {entries > 0 && <span className={styles["hint"]}>{t.entriesHint}</span>}
          </p>
        )}
        <LookUp onChanged={refetch} />
      </section>
      <ManyNumbers onChanged={refetch} />
    </>
  );
}
