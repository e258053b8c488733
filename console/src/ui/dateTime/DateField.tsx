// A date: typed, or chosen in a calendar. It looks and reads the same in each browser, and shows in words which day was understood.
import { Popover } from "@base-ui/react/popover";
import { Calendar as CalendarIcon } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Calendar } from "./Calendar.tsx";
import { addDays, dateText } from "./dateParts.ts";
import { orderOf, readDate } from "./readDateTime.ts";
import { texts } from "./texts/texts.ts";
import { useTypedText, type FieldIds } from "./useTypedText.ts";
import styles from "./dateTime.module.css";

/** `value`: as `2026-11-26`, or what was typed where that is no date. `today`: where the calendar opens without a date. */
export function DateField(props: { ids: FieldIds; value: string; today: string; onChange: (value: string) => void }) {
  const { ids, value, today, onChange } = props;
  const { language } = useLocale();
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const typed = useTypedText(value, onChange, readDateText);
  const chosen = readDateText(value);
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  function press(event: KeyboardEvent): void {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined || event.altKey) return;
    event.preventDefault();
    onChange(addDays(chosen ?? today, step));
  }
  return (
    <span className={styles["field"]}>
      <input
        {...ids}
        className={styles["date"]}
        inputMode="text"
        autoComplete="off"
        spellCheck={false}
        placeholder="2026-11-26"
        {...typed}
        onKeyDown={press}
      />
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className={styles["open"]} aria-label={t.openCalendar}>
          <CalendarIcon size={16} aria-hidden="true" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner align="start" sideOffset={4} collisionPadding={8} className={styles["above"]}>
            <Popover.Popup className={styles["popup"]} aria-label={t.calendar} initialFocus={false}>
              <Calendar
                shown={chosen ?? today}
                chosen={chosen}
                onChoose={(date) => {
                  onChange(date);
                  setOpen(false);
                }}
              />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      <output className={styles["understood"]}>
        {chosen === null
          ? ""
          : dateText(chosen, locale, { weekday: "short", day: "numeric", month: "short", year: "numeric" })}
      </output>
    </span>
  );
}

/** Null where it is no date. */
export function readDateText(text: string): string | null {
  const reading = readDate(text, orderOf(navigator.language));
  return "date" in reading ? reading.date : null;
}
