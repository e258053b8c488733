// An error beside what is already shown: what failed, since when, and that it is tried again.
import { CircleAlert } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import type { Texts } from "../texts/en.ts";
import { Button } from "./Button.tsx";
import styles from "./notice.module.css";

export function ErrorBar(props: { code: string; what?: string; since?: number; onRetry: () => void }) {
  const { code, what, since, onRetry } = props;
  const { t, format } = useLocale();
  return (
    <div className={styles["bar"]} role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <span>
        {what} {errorText(t, code)} {since !== undefined && t.errors.since(format.timeOfDay(since))}
      </span>
      <Button kind="quiet" onClick={onRetry}>
        {t.errors.retry}
      </Button>
    </div>
  );
}

export function errorText({ errors }: Texts, code: string): string {
  if (code.startsWith("CURSOR_")) return errors.CURSOR;
  if (code === "UPSTREAM_RATE_LIMITED") return errors.RATE_LIMITED;
  if (code.startsWith("UPSTREAM_")) return errors.UPSTREAM;
  const known = ["NETWORK", "FORBIDDEN", "RATE_LIMITED", "QUERY_TOO_COMPLEX"] as const;
  const rare = ["STORE_UNAVAILABLE", "DOCUMENT_NOT_TRUSTED"] as const;
  const name = [...known, ...rare].find((each) => each === code);
  return name ? errors[name] : errors.other(code);
}
