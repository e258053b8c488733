import { Check, Copy, CopyX } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { Button } from "./Button.tsx";
import { copyText } from "./copyText.ts";
import styles from "./button.module.css";

const SHOWN_MS = 2000;
const ICONS = { copied: Check, failed: CopyX };

/** `label`: what is copied, in words. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useLocale();
  const [result, setResult] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (result === null) return undefined;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const Icon = result === null ? Copy : ICONS[result];
  return (
    <>
      <Button
        kind="icon"
        className={styles["copy"]}
        aria-label={label}
        title={label}
        data-result={result}
        onClick={({ currentTarget }) =>
          void copyText(value, currentTarget).then((isDone) => setResult(isDone ? "copied" : "failed"))
        }
      >
        <Icon size={14} aria-hidden="true" />
      </Button>
      <span role="status" className="hidden">
        {result && t.format[result]}
      </span>
    </>
  );
}
