import type { ReactNode } from "react";
import styles from "./health.module.css";

/** A value with its name above and what it means below. */
export function Fact(props: { name: string; value: ReactNode; state?: State; children?: ReactNode }) {
  const { name, value, state, children } = props;
  return (
    <div className={styles["fact"]}>
      <dt>{name}</dt>
      <dd data-state={state} className={styles["value"]}>
        {value}
      </dd>
      <dd className={styles["hint"]}>{children}</dd>
    </div>
  );
}

export type State = "good" | "warning" | "bad" | undefined;
