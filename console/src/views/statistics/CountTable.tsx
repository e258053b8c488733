// Counts by one property, the most frequent first. The bars are as long as the numbers beside them.
import type { ReactNode } from "react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./statistics.module.css";

export interface CountRow {
  key: string;
  name: string;
  /** In place of the name, such as a link. */
  cell?: ReactNode;
  calls: number;
  answered: number;
}

/** As many as the query asks for. */
const MOST = 10;

export function CountTable(props: { title: string; column: string; total: number; rows: readonly CountRow[] }) {
  const { title, column, total, rows } = props;
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const highest = Math.max(1, ...rows.map(({ calls }) => calls));
  return (
    <section className={styles["panel"]}>
      <table className={styles["table"]}>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            <th scope="col">{t.calls}</th>
            <th scope="col">{t.share}</th>
            <th scope="col">{t.answerRate}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cell, calls, answered }) => (
            <tr key={key}>
              <th scope="row" title={name}>
                <span className={styles["name"]}>{cell ?? name}</span>
                <span
                  className={styles["bar"]}
                  style={{ transform: `scaleX(${calls / highest})` }}
                  aria-hidden="true"
                />
              </th>
              <td>{format.number(calls)}</td>
              <td>{format.percent(calls / Math.max(1, total))}</td>
              <td>{format.percent(answered / Math.max(1, calls))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className={styles["hint"]}>{t.emptyTable}</p>}
      {rows.length === MOST && <p className={styles["hint"]}>{t.topOnly(format.number(MOST))}</p>}
    </section>
  );
}
