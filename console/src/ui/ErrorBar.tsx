// An error beside what is already shown: what failed, since when, and when it is tried again.
import { CircleAlert } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import { useNow } from "../locale/useNow.ts";
import type { Texts } from "../texts/en.ts";
import { Button } from "./Button.tsx";
import styles from "./notice.module.css";

export interface ErrorBarProps {
  code: string;
  what?: string;
  /** Epoch milliseconds of the first failure, and of the next attempt where one follows by itself. */
  since?: number | null;
  retryAt?: number | null;
  /** When what is shown was read. */
  asOf?: number | null;
  onRetry: () => void;
}

export function ErrorBar({ code, what, since, retryAt, asOf, onRetry }: ErrorBarProps) {
  const { t, format } = useLocale();
  return (
    <div className={styles["bar"]}>
      <CircleAlert size={16} aria-hidden="true" />
      {/* A screen reader hears the error once, and not each second. */}
      <span role="alert" className={styles["what"]}>
        {what} {errorText(t, code)} {since != null && t.errors.since(format.timeOfDay(since))}{" "}
        {asOf != null && t.errors.asOf(format.timeOfDay(asOf))}
      </span>
      {retryAt != null && <Countdown until={retryAt} />}
      <Button kind="quiet" onClick={onRetry}>
        {t.errors.retry}
      </Button>
    </div>
  );
}

function Countdown({ until }: { until: number }) {
  const { t, format } = useLocale();
  const seconds = Math.ceil((until - useNow(250)) / 1000);
  return (
    <span className={styles["countdown"]}>
      {seconds > 0 ? t.errors.retrying(format.number(seconds)) : t.errors.retryingNow}
    </span>
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
