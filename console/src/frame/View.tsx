// What every view has: its title, the state of the console, and its actions at the right.
import { useEffect, type ReactNode } from "react";
import { AlertBadge } from "../alerts/AlertBadge.tsx";
import { StateBadge } from "../state/StateBadge.tsx";
import styles from "./frame.module.css";

export function View({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Switchboard`;
  }, [title]);
  return (
    <div className={styles["column"]}>
      <header className={styles["top"]}>
        <h1>{title}</h1>
        <StateBadge />
        <AlertBadge />
        <div className={styles["actions"]}>{actions}</div>
      </header>
      <main id="content" tabIndex={-1} className={styles["main"]}>
        {children}
      </main>
    </div>
  );
}
