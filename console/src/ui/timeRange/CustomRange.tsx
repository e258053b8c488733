import { useId, useState, type SubmitEvent } from "react";
import { useLocale } from "../../locale/Locale.tsx";
import { Button } from "../Button.tsx";
import type { en } from "./texts/en.ts";
import { readRange, type RangeSearch, type TimeSpan } from "./timeRange.ts";
import styles from "./timeRange.module.css";

/** Two fields of the browser, in the viewer's zone. They begin with the range that is shown. */
export function CustomRange(props: {
  t: typeof en;
  span: TimeSpan;
  isCustom: boolean;
  onApply: (search: RangeSearch) => void;
}) {
  const { t, span, isCustom, onApply } = props;
  const { format } = useLocale();
  const id = useId();
  const [since, setSince] = useState(() => wallTimeOf(span.since));
  const [until, setUntil] = useState(() => (span.until ? wallTimeOf(span.until) : ""));
  const [problem, setProblem] = useState("");

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    // The browser reads a time without a zone in the viewer's.
    const next = readRange({ since, until });
    if (next.since === undefined) return setProblem(t.missing);
    if (until !== "" && next.until === undefined) return setProblem(t.inverted);
    onApply(next);
  }
  const field = (name: string, value: string, onChange: (value: string) => void) => (
    <label>
      {name}
      <input
        type="datetime-local"
        step={1}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-describedby={`${id}-hint ${id}-problem`}
        aria-invalid={problem !== ""}
      />
    </label>
  );
  return (
    <form onSubmit={submit} className={styles["custom"]} noValidate data-set={isCustom || undefined}>
      <p className={styles["customTitle"]}>
        {t.custom} <span>({format.zone})</span>
      </p>
      {field(t.from, since, setSince)}
      {field(t.to, until, setUntil)}
      <p id={`${id}-hint`} className={styles["hint"]}>
        {t.untilNow}
      </p>
      <p id={`${id}-problem`} role="alert" className={styles["problem"]}>
        {problem}
      </p>
      <Button kind="primary" type="submit">
        {t.apply}
      </Button>
    </form>
  );
}

/** As such a field takes it: 2026-11-20T09:30:00 in the viewer's zone. */
function wallTimeOf(instant: string): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
