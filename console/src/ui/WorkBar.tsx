// A line over a list about long work: how far it is, or how it ended, and what can be done about it.
import type { ReactNode } from "react";
import styles from "./workBar.module.css";

export function WorkBar(props: { icon: ReactNode; kind?: "error" | "warning" | "done"; children: ReactNode }) {
  const { icon, kind, children } = props;
  return (
    <div className={styles["bar"]} data-kind={kind}>
      {icon}
      {children}
    </div>
  );
}
