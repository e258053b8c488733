import { Download } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import { Button } from "./Button.tsx";
import styles from "./csvButton.module.css";

/** Its text is hidden where there is little room. */
export function CsvButton({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const { t } = useLocale();
  return (
    <Button aria-label={t.csv.save} title={t.csv.save} disabled={disabled} onClick={onClick}>
      <Download size={14} aria-hidden="true" />
      <span className={styles["label"]}>{t.csv.export}</span>
    </Button>
  );
}
