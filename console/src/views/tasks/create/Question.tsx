// What the task will do, as the gateway says it, in words with the number of people; and the button that does it.
import { useId, useState } from "react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { CountryCounts, PlanSentence } from "../plan/PlanSentence.tsx";
import { texts as planTexts } from "../plan/texts/texts.ts";
import type { TaskCheck } from "../plan/useTaskCheck.ts";
import { useTaskRights } from "../useTaskRights.ts";
import type { Fields } from "./draft.ts";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

export function Question(props: {
  fields: Fields;
  /** Its name, where it has one. */
  assistant: string | null | undefined;
  check: TaskCheck & { people: number };
  onSend: () => void;
}) {
  const { fields, assistant, check, onSend } = props;
  const { format } = useLocale();
  const t = useTexts(texts);
  const plan = useTexts(planTexts);
  const proposes = useTaskRights().submits === "proposes";
  const id = useId();
  const [typed, setTyped] = useState("");
  const { people, schedule, countries } = check;

  const shown = format.number(people);
  const isConfirmed = typed.replaceAll(/[\s,.'’]/g, "") === String(people);
  const sentence = [
    t.willPhone(shown, assistant ? `“${assistant}”` : t.unnamed),
    t.willUse(t.lineCount(format.number(fields.lineIds.length))),
    fields.retryCount === "0" ? t.willNotRetry : t.willRetry(fields.retryCount, fields.retryMinutes),
  ].join("");
  const written = { ...fields, periods: fields.periods.map(({ from, until }) => [from, until]) };
  return (
    <>
      <p className={styles["sentence"]}>{sentence}</p>
      {schedule && (
        <p className={styles["sentence"]}>
          <PlanSentence schedule={schedule} written={written} />
        </p>
      )}
      <div className={styles["countries"]} role="group" aria-label={plan.countries}>
        <CountryCounts countries={countries} />
      </div>
      {proposes && <p className={styles["sentence"]}>{t.proposeHint}</p>}
      <div className={styles["confirm"]}>
        <div className={styles["field"]}>
          <label htmlFor={id}>{t.typeNumber(shown)}</label>
          <input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <Button kind="primary" disabled={!isConfirmed} onClick={onSend}>
          {proposes ? t.propose(shown) : t.phone(shown)}
        </Button>
      </div>
    </>
  );
}
