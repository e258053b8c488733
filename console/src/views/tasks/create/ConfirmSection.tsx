// What the task will do, in one sentence with the number of people, and the button that does it.
import { useEffect, useId, useState } from "react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import type { Choices } from "./CreateTask.tsx";
import type { Fields } from "./draft.ts";
import type { FieldName } from "./taskInput.ts";
import { texts } from "./texts/texts.ts";
import { useTaskRights } from "../useTaskRights.ts";
import styles from "./create.module.css";

export function ConfirmSection(props: {
  fields: Fields;
  choices: Choices;
  /** People to phone; null while that is unknown. */
  count: number | null;
  invalid: ReadonlySet<FieldName>;
  isReady: boolean;
  onSend: () => void;
}) {
  const { fields, choices, count, invalid, isReady, onSend } = props;
  const { format } = useLocale();
  const t = useTexts(texts);
  const proposes = useTaskRights().submits === "proposes";
  const id = useId();
  const [typed, setTyped] = useState("");
  // Another number of people is another question.
  useEffect(() => setTyped(""), [count]);

  const assistant = choices.data?.assistants?.nodes.find(({ assistantId }) => assistantId === fields.assistantId)?.name;
  const shown = format.number(count ?? 0);
  const isConfirmed = count !== null && typed.replaceAll(/[\s,.'’]/g, "") === String(count);
  const periods = fields.periods.map(({ from, until }) => `${from}–${until}`).join(", ");
  const sentence = [
    t.willPhone(shown, assistant ? `“${assistant}”` : t.unnamed),
    t.willUse(t.lineCount(format.number(fields.lineIds.length))),
    t.willStart(fields.startDate, periods),
    fields.retryCount === "0" ? "" : t.willRetry(fields.retryCount, fields.retryMinutes),
    t.willEnd,
  ].join("");
  return (
    <section className={styles["section"]}>
      <h2>{t.confirm}</h2>
      {!isReady && (
        <div className={styles["incomplete"]}>
          <p>{t.incomplete}</p>
          <ul>
            {[...invalid].map((field) => (
              <li key={field}>{t.invalid[field]}</li>
            ))}
          </ul>
        </div>
      )}
      {isReady && (
        <>
          <p className={styles["sentence"]}>{sentence}</p>
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
      )}
    </section>
  );
}
