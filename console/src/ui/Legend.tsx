import styles from "./legend.module.css";

/** What the colours of a chart mean, at the right of its title. */
export function Legend({ entries }: { entries: readonly (readonly ["green" | "amber" | "red", string])[] }) {
  return (
    <span className={styles["legend"]}>
      {entries.map(([color, text]) => (
        <span key={color} data-color={color}>
          {text}
        </span>
      ))}
    </span>
  );
}
