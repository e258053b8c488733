// What stands in a place without data: why, and what to do.
import { CircleAlert, Inbox } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./notice.module.css";

export function Notice(props: { title: string; kind?: "empty" | "error"; children?: ReactNode }) {
  const { title, kind = "empty", children } = props;
  const Icon = kind === "error" ? CircleAlert : Inbox;
  return (
    <div className={styles["notice"]} data-kind={kind} role={kind === "error" ? "alert" : "status"}>
      <Icon size={20} aria-hidden="true" />
      <p className={styles["title"]}>{title}</p>
      <div className={styles["more"]}>{children}</div>
    </div>
  );
}
