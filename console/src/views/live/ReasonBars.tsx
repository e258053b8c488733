// The most frequent hang-up reasons of the last hour, as a table whose cells hold the bars.
import { memo } from "react";
import { useLocale } from "../../locale/Locale.tsx";
import styles from "./live.module.css";

export interface ReasonShare {
  reason: string | null;
  calls: number;
  /** 0 to 1, of all calls. */
  share: number;
}

export const ReasonBars = memo(function ReasonBars(props: {
  reasons: readonly ReasonShare[];
  onChoose: (reason: string | null) => void;
}) {
  const { reasons, onChoose } = props;
  const { t, format } = useLocale();
  const highest = Math.max(1, ...reasons.map(({ calls }) => calls));
  return (
    <div className={styles["panel"]}>
      <table className={styles["reasons"]}>
        <caption>{t.live.reasons}</caption>
        <thead className="hidden">
          <tr>
            <th scope="col">{t.live.columnReason}</th>
            <th scope="col">{t.live.calls}</th>
            <th scope="col">{t.live.share}</th>
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ reason, calls, share }) => (
            <tr key={reason ?? ""}>
              <th scope="row" title={reason ?? undefined}>
                <button type="button" title={t.live.onlyReason} onClick={() => onChoose(reason)}>
                  {reason ?? t.live.noReason}
                </button>
              </th>
              <td>
                <span
                  className={styles["bar"]}
                  style={{ transform: `scaleX(${calls / highest})` }}
                  aria-hidden="true"
                />
                <span className="hidden">{format.number(calls)}</span>
              </td>
              <td>
                <span aria-hidden="true">{format.number(calls)} · </span>
                {format.percent(share)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {reasons.length === 0 && <p className={styles["noCalls"]}>{t.live.noCalls}</p>}
    </div>
  );
});
