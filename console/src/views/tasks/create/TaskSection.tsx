// Name, assistant and lines, picked from what the gateway knows; an ID that it does not know can be written.
import { useState } from "react";
import { useTexts } from "../../../locale/Locale.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import type { Choices, FormProps } from "./CreateTask.tsx";
import { FormField } from "./FormField.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

const OTHER = "other";

export function TaskSection({ fields, change, errorOf, choices }: FormProps & { choices: Choices }) {
  const t = useTexts(texts);
  return (
    <section className={styles["section"]}>
      <h2>{t.task}</h2>
      {choices.error && (
        <ErrorBar
          code={choices.error.code}
          what={t.choicesFailed}
          since={choices.failedSince}
          retryAt={choices.retryAt}
          onRetry={choices.refetch}
        />
      )}
      <FormField label={t.name} error={errorOf("name")}>
        {(ids) => (
          <input
            {...ids}
            value={fields.name}
            onChange={({ target }) => change({ name: target.value })}
            autoComplete="off"
          />
        )}
      </FormField>
      <AssistantField {...{ fields, change, errorOf }} data={choices.data} />
      <LinesField {...{ fields, change, errorOf }} data={choices.data} />
    </section>
  );
}

function AssistantField({ fields, change, errorOf, data }: FormProps & Pick<Choices, "data">) {
  const t = useTexts(texts);
  const known = data?.assistants?.nodes ?? [];
  const isKnown = known.some(({ assistantId }) => assistantId === fields.assistantId);
  const [wantsOther, setWantsOther] = useState(false);
  const isOther = wantsOther || (data !== undefined && !isKnown && (fields.assistantId !== "" || known.length === 0));
  return (
    <FormField
      label={t.assistant}
      hint={data?.assistants && known.length === 0 ? t.noAssistants : undefined}
      error={errorOf("assistantId")}
    >
      {(ids) => (
        <div className={styles["pair"]}>
          <select
            {...ids}
            value={isOther ? OTHER : fields.assistantId}
            onChange={({ target: { value } }) => {
              setWantsOther(value === OTHER);
              change({ assistantId: value === OTHER ? "" : value });
            }}
          >
            <option value="" disabled>
              {t.choose}
            </option>
            {known.map(({ assistantId, name }) => (
              <option key={assistantId} value={assistantId}>
                {name === null ? assistantId : `${name} (${assistantId})`}
              </option>
            ))}
            <option value={OTHER}>{t.otherAssistant}</option>
          </select>
          {isOther && (
            <input
              inputMode="numeric"
              aria-label={t.assistantId}
              placeholder={t.assistantId}
              value={fields.assistantId}
              onChange={({ target }) => change({ assistantId: target.value.trim() })}
            />
          )}
        </div>
      )}
    </FormField>
  );
}

function LinesField({ fields, change, errorOf, data }: FormProps & Pick<Choices, "data">) {
  const t = useTexts(texts);
  const known = data?.lines?.nodes ?? [];
  const chosen = new Set(fields.lineIds);
  const others = fields.lineIds.filter((id) => known.every(({ lineId }) => lineId !== id));
  const [text, setText] = useState(others.join(", "));
  const ofKnown = fields.lineIds.filter((id) => !others.includes(id));
  return (
    <FormField label={t.lines} hint={t.linesHint} error={errorOf("lineIds")} as="group">
      {() => (
        <div className={styles["lines"]}>
          {known.map(({ lineId, name }) => (
            <label key={lineId} className={styles["check"]}>
              <input
                type="checkbox"
                checked={chosen.has(lineId)}
                onChange={({ target }) =>
                  change({
                    lineIds: target.checked
                      ? [...fields.lineIds, lineId]
                      : fields.lineIds.filter((id) => id !== lineId),
                  })
                }
              />
              {name === null ? lineId : `${name} (${lineId})`}
            </label>
          ))}
          <input
            aria-label={t.otherLines}
            placeholder={t.otherLines}
            value={text}
            onChange={({ target: { value } }) => {
              setText(value);
              const ids = value.split(/[\s,，]+/).filter((id) => id !== "");
              change({ lineIds: [...new Set([...ofKnown, ...ids])] });
            }}
          />
        </div>
      )}
    </FormField>
  );
}
