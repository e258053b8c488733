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
  const { alerts } = useOpenAlerts();
  const unseen = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null).length;
  return (
    <div className={styles["badge"]} role="status">
      {unseen > 0 && (
        <Link to="/status" hash="alerts" className={styles["link"]}>
          <BellRing size={14} aria-hidden="true" />
          <span>{t.count(format.number(unseen))}</span>
        </Link>
      )}
    </div>
  );
}
