import styles from "./skeleton.module.css";

/** Rows that stand for those to come. They appear after a moment: most answers are here before. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div className={styles["skeleton"]} aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  );
}
