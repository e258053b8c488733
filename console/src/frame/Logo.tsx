import styles from "./frame.module.css";

export function Logo() {
  return (
    <div className={styles["logo"]}>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--accent)" />
        <path
          d="M9 8h9a4 4 0 0 1 0 8h-4a4 4 0 0 0 0 8"
          fill="none"
          stroke="var(--on-accent)"
          strokeWidth="3"
          strokeLinecap="round"
        />
        <circle cx="23" cy="24" r="2.2" fill="var(--on-accent)" />
      </svg>
      <span>Switchboard</span>
    </div>
  );
}
