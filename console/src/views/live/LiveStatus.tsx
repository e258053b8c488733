import { useLocale } from "../../locale/Locale.tsx";
import { useNow } from "../../locale/useNow.ts";
import { Button } from "../../ui/Button.tsx";
import type { Held, HoldReason } from "./useHeld.ts";
import type { LiveItem } from "./useLiveCalls.ts";
import styles from "./live.module.css";

const WORDS = { pause: "heldByPause", scroll: "heldByScroll", pointer: "heldByPointer" } as const satisfies Record<
  HoldReason,
  string
>;

/** How much is shown, when the last call came and how late, and why the list stands still. */
export function LiveStatus(props: { items: readonly LiveItem[] | null; held: Held; onShowFresh: () => void }) {
  const { items, held, onShowFresh } = props;
  const { t, format } = useLocale();
  const now = useNow(1000);
  const last = items?.find((item) => item.type === "call")?.call;
  const lag = last?.endAt ? Date.parse(last.receivedAt) - Date.parse(last.endAt) : null;
  return (
    <div className={styles["status"]}>
      {items && <span>{t.live.listed(format.number(held.items.length))}</span>}
      {last && (
        <span>
          {t.live.lastCall(format.ago(last.receivedAt, now))}
          {lag !== null && lag >= 0 && `, ${t.live.lag(format.duration(lag))}`}
        </span>
      )}
      {held.reason && <span className={styles["held"]}>{t.live[WORDS[held.reason]]}</span>}
      {held.freshCount > 0 && (
        <Button kind="quiet" className={styles["fresh"]} onClick={onShowFresh}>
          {t.live.showFresh(format.number(held.freshCount))}
        </Button>
      )}
    </div>
  );
}
