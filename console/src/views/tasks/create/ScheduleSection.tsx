import { Plus, X } from "lucide-react";
import { useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { Button } from "../../../ui/Button.tsx";
import { DateField } from "../../../ui/dateTime/DateField.tsx";
import { readEndTime, readTime } from "../../../ui/dateTime/readDateTime.ts";
import { TimeField } from "../../../ui/dateTime/TimeField.tsx";
import { todayIn } from "./draft.ts";
import type { FormProps } from "./formProps.ts";
import { FormField } from "./FormField.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

const MOST_PERIODS = 6;

const isWrong = (time: string, read = readTime): boolean => time !== "" && read(time) === null;

/** When people are phoned, by the clock of the service. */
export function ScheduleSection({ fields, change, errorOf }: FormProps) {
  const t = useTexts(texts);
  const { serviceTimeZone } = useSession();
  const { periods } = fields;
  const changePeriod = (at: number, changed: Partial<(typeof periods)[number]>) =>
    change({ periods: periods.map((period, index) => (index === at ? { ...period, ...changed } : period)) });
  return (
    <section className={styles["section"]}>
      <h2>{t.schedule}</h2>
      <FormField label={t.startDate} error={errorOf("startDate")} hint={t.zone(serviceTimeZone)}>
        {(ids) => (
          <DateField
            ids={ids}
            value={fields.startDate}
            today={todayIn(serviceTimeZone)}
            onChange={(startDate) => change({ startDate })}
          />
        )}
      </FormField>
      <FormField label={t.periods} error={errorOf("periods")} as="group">
        {() => (
          <>
            {periods.map(({ from, until }, at) => (
              // Periods have no identity but their place.
              <div key={at} className={styles["period"]}>
                <TimeField
                  label={t.from}
                  value={from}
                  isInvalid={isWrong(from)}
                  onChange={(time) => changePeriod(at, { from: time })}
                />
                <span aria-hidden="true">–</span>
                <TimeField
                  label={t.until}
                  value={until}
                  isInvalid={isWrong(until, readEndTime)}
                  isEnd
                  onChange={(time) => changePeriod(at, { until: time })}
                />
                {periods.length > 1 && (
                  <Button
                    kind="icon"
                    aria-label={t.removePeriod}
                    onClick={() => change({ periods: periods.filter((_, index) => index !== at) })}
                  >
                    <X size={16} aria-hidden="true" />
                  </Button>
                )}
              </div>
            ))}
            {periods.length < MOST_PERIODS && (
              <Button
                kind="quiet"
                className={styles["add"]}
                onClick={() => change({ periods: [...periods, { from: "", until: "" }] })}
              >
                <Plus size={14} aria-hidden="true" />
                {t.addPeriod}
              </Button>
            )}
          </>
        )}
      </FormField>
      <div className={styles["two"]}>
        <FormField label={t.retryCount} error={errorOf("retryCount")}>
          {(ids) => (
            <input
              {...ids}
              inputMode="numeric"
              value={fields.retryCount}
              onChange={({ target }) => change({ retryCount: target.value.trim() })}
            />
          )}
        </FormField>
        <FormField label={t.retryMinutes} error={errorOf("retryMinutes")}>
          {(ids) => (
            <input
              {...ids}
              inputMode="numeric"
              value={fields.retryMinutes}
              onChange={({ target }) => change({ retryMinutes: target.value.trim() })}
            />
          )}
        </FormField>
      </div>
    </section>
  );
}
