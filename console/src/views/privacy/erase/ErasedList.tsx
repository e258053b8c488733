import type { ConsoleForgetPhoneMutation } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { texts } from "../texts/texts.ts";
import styles from "../privacy.module.css";

export type ErasedCounts = NonNullable<ConsoleForgetPhoneMutation["forgetPhone"]>;

/** What an erasure takes, without what it does not find. */
export function ErasedList({ counts }: { counts: ErasedCounts }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  const { calls, events, recordings, quarantined, rawDeliveries, submissions, proposals } = counts;
  const parts: readonly (readonly [number, (n: string) => string])[] = [
    [calls, t.calls],
    [events, t.events],
    [rawDeliveries, t.rawDeliveries],
    [recordings, t.recordings],
    [quarantined, t.quarantined],
    [submissions, t.submissions],
    [proposals, t.proposals],
  ];
  const found = parts.filter(([n]) => n > 0);
  if (found.length === 0) return <p>{t.nothing}</p>;
  return (
    <ul className={styles["counts"]}>
      {found.map(([n, text]) => (
        <li key={text("")}>{text(format.number(n))}</li>
      ))}
    </ul>
  );
}
