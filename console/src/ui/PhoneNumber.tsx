import { Lock } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import styles from "./phone.module.css";

/** A masked number has a lock, and says which scope is missing. */
export function PhoneNumber({ value }: { value: string | null }) {
  const { t } = useLocale();
  if (value === null) return <>{t.format.none}</>;
  if (!value.includes("*")) return <span className="number">{value}</span>;
  return (
    <span className={styles["masked"]} title={t.format.masked}>
      <span className="number">{value}</span>
      <Lock size={12} aria-label={t.format.masked} role="img" />
    </span>
  );
}
