import { Link } from "@tanstack/react-router";
import { BellRing } from "lucide-react";
import { useLocale, useTexts } from "../locale/Locale.tsx";
import { useOpenAlerts } from "./AlertsProvider.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./alerts.module.css";

/** How many open alerts nobody has seen to, with a link to them. Nothing where there are none. */
export function AlertBadge() {
  const t = useTexts(texts);
  const { format } = useLocale();
  const { alerts, hasMore, isFailed } = useOpenAlerts();
  const unseen = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
  return (
    <div className={styles["badge"]} role="status">
      {(unseen > 0 || hasMore || isFailed) && (
        <Link to="/status" hash="alerts" className={styles["link"]}>
          <BellRing size={14} aria-hidden="true" />
          <span>
            {isFailed ? t.failed : t.count(hasMore ? `${format.number(alerts.length)}+` : format.number(unseen))}
          </span>
        </Link>
      )}
    </div>
  );
}
