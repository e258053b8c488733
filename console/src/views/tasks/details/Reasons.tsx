import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Section } from "../../../ui/drawer/Facts.tsx";
import { texts } from "../texts/texts.ts";
import styles from "./details.module.css";

/** The most frequent hang-up reasons. `calls`: of the whole task; null where it is unknown. */
export function Reasons(props: {
  calls: number | null;
  reasons: readonly { reason: string | null; calls: number }[] | null;
}) {
  const { calls, reasons } = props;
  const { t: all, format } = useLocale();
  const t = useTexts(texts);
  const highest = Math.max(1, ...(reasons ?? []).map((each) => each.calls));
  return (
    <Section title={t.details.reasons}>
      {reasons === null && all.format.unknown}
      {reasons?.length === 0 && <p className={styles["none"]}>{t.details.noCalls}</p>}
      {reasons !== null && reasons.length > 0 && (
        <table className={styles["bars"]}>
          <thead className="hidden">
            <tr>
              <th scope="col">{t.details.reasons}</th>
              <th scope="col">{t.details.byCalls}</th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ reason, calls: count }) => (
              <tr key={reason ?? ""}>
                <th scope="row" title={reason ?? undefined}>
                  {reason ?? t.details.noReason}
                </th>
                <td>
                  <span className={styles["barTrack"]} aria-hidden="true">
                    <span style={{ transform: `scaleX(${count / highest})` }} />
                  </span>
                  <span className={styles["amount"]}>{format.number(count)}</span>
                  <span className={styles["share"]}>{calls ? format.percent(count / calls) : all.format.none}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
