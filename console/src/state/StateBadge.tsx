import { Link } from "@tanstack/react-router";
import { useConnectionState } from "switchboard-client/react";
import { useLocale } from "../locale/Locale.tsx";
import { useNow } from "../locale/useNow.ts";
import { useConsoleState } from "./StateProvider.tsx";
import { spokenText, useStateText } from "./useStateText.ts";
import styles from "./state.module.css";

/** The state of the console in few words, the worst first. It leads to its line in Health. */
export function StateBadge() {
  const { t, format } = useLocale();
  const { worst, isWhole } = useConsoleState();
  const { name } = useConnectionState();
  const now = useNow(500);
  const textOf = useStateText();
  const good = isWhole ? t.state.allWell : t.state.connected;
  const text = worst ? textOf(worst.judgement, now) : good;
  return (
    <div
      className={styles["badge"]}
      data-tone={worst?.tone ?? "good"}
      data-state={name}
      role="group"
      aria-label={t.state.label}
    >
      <Link to="/status" hash={worst?.subject ?? ""} title={text} className={styles["link"]}>
        <span className={styles["dot"]} aria-hidden="true" />
        <span className={styles["text"]}>{text}</span>
      </Link>
      <span className="hidden" role="status">
        {worst ? spokenText(worst.judgement, now, t.state, format) : good}
      </span>
    </div>
  );
}
