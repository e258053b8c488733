// The days of a month to choose from, by pointer or keyboard (the pattern of the W3C's date picker dialog).
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../Button.tsx";
import { addDays, addMonths, dateText, isSameMonth, weekdayOf, weeksOf } from "./dateParts.ts";
import { texts } from "./texts/texts.ts";
import styles from "./dateTime.module.css";

/** `shown`: the date that is chosen, or that the calendar opens at. */
export function Calendar(props: { shown: string; chosen: string | null; onChoose: (date: string) => void }) {
  const { shown, chosen, onChoose } = props;
  const { language } = useLocale();
  const t = useTexts(texts);
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const [day, setDay] = useState(shown);
  const grid = useRef<HTMLTableElement>(null);
  const followsKeys = useRef(true);
  useEffect(() => {
    if (followsKeys.current) grid.current?.querySelector<HTMLElement>(`[data-date="${day}"]`)?.focus();
  }, [day]);

  function move(next: string, byKey: boolean): void {
    followsKeys.current = byKey;
    setDay(next);
  }
  function press(event: KeyboardEvent): void {
    const months = event.shiftKey ? 12 : 1;
    const next = {
      ArrowLeft: () => addDays(day, -1),
      ArrowRight: () => addDays(day, 1),
      ArrowUp: () => addDays(day, -7),
      ArrowDown: () => addDays(day, 7),
      Home: () => addDays(day, -weekdayOf(day)),
      End: () => addDays(day, 6 - weekdayOf(day)),
      PageUp: () => addMonths(day, -months),
      PageDown: () => addMonths(day, months),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    move(next(), true);
  }
  const weeks = weeksOf(day);
  const month = dateText(day, locale, { month: "long", year: "numeric" });
  return (
    <div className={styles["calendar"]}>
      <div className={styles["month"]}>
        <Button kind="icon" aria-label={t.previousMonth} onClick={() => move(addMonths(day, -1), false)}>
          <ChevronLeft size={16} aria-hidden="true" />
        </Button>
        <span aria-live="polite">{month}</span>
        <Button kind="icon" aria-label={t.nextMonth} onClick={() => move(addMonths(day, 1), false)}>
          <ChevronRight size={16} aria-hidden="true" />
        </Button>
      </div>
      <table role="grid" aria-label={month} ref={grid} onKeyDown={press}>
        <thead>
          <tr>
            {weeks[0]?.map((date) => (
              <th key={date} scope="col" abbr={dateText(date, locale, { weekday: "long" })}>
                {dateText(date, locale, { weekday: "narrow" })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} role="gridcell" aria-selected={date === chosen}>
                  <button
                    type="button"
                    data-date={date}
                    data-other={!isSameMonth(date, day) || undefined}
                    tabIndex={date === day ? 0 : -1}
                    aria-label={dateText(date, locale, { dateStyle: "full" })}
                    onClick={() => onChoose(date)}
                  >
                    {Number(date.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
