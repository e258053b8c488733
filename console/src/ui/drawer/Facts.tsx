// Parts of a drawer: a section with a title, and facts with their names.
import type { ReactNode } from "react";
import styles from "./facts.module.css";

export function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className={styles["section"]}>
      <h3>
        {title} {hint && <small>{hint}</small>}
      </h3>
      <div className={styles["facts"]}>{children}</div>
    </section>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl className={styles["fact"]}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </dl>
  );
}
