// A time of day, typed. It reads and looks the same in each browser: 9, 9:00, 0900 and 9 am are 09:00.
import type { KeyboardEvent } from "react";
import { readEndTime, readTime, two } from "./readDateTime.ts";
import { useTypedText } from "./useTypedText.ts";
import styles from "./dateTime.module.css";

const STEP_MINUTES = 15;
const DAY_MINUTES = 24 * 60;

/** `value`: as `09:00`, or what was typed where that is no time. `isEnd`: it may be 24:00. */
export function TimeField(props: {
  label: string;
  value: string;
  isInvalid: boolean;
  isEnd?: boolean;
  onChange: (value: string) => void;
}) {
  const { label, value, isInvalid, isEnd = false, onChange } = props;
  const read = isEnd ? readEndTime : readTime;
  const typed = useTypedText(value, onChange, read);
  function press(event: KeyboardEvent): void {
    const step = { ArrowUp: STEP_MINUTES, ArrowDown: -STEP_MINUTES }[event.key];
    if (step === undefined || event.altKey) return;
    event.preventDefault();
    const [hours = 9, minutes = 0] = read(value)?.split(":").map(Number) ?? [];
    const next = (hours * 60 + minutes + step + DAY_MINUTES) % DAY_MINUTES;
    onChange(`${two(Math.floor(next / 60))}:${two(next % 60)}`);
  }
  return (
    <input
      aria-label={label}
      aria-invalid={isInvalid}
      className={styles["time"]}
      autoComplete="off"
      spellCheck={false}
      placeholder="09:00"
      {...typed}
      onKeyDown={press}
    />
  );
}
