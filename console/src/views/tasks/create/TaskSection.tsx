// Name, assistant and lines, picked from what the gateway knows; an ID that it does not know can be written.
import { useState } from "react";
import { useTexts } from "../../../locale/Locale.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import type { TaskChoices } from "../useTaskChoices.ts";
import type { FormProps } from "./formProps.ts";
import { FormField } from "./FormField.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

const OTHER = "other";

export function TaskSection({ fields, change, errorOf, choices }: FormProps & { choices: TaskChoices }) {
  const t = useTexts(texts);
  const { query } = choices;
  return (
    <section className={styles["section"]}>
      <h2>{t.task}</h2>
      {query.error && (
        <ErrorBar
          code={query.error.code}
          what={t.choicesFailed}
          since={query.failedSince}
          retryAt={query.retryAt}
          onRetry={query.refetch}
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
      <AssistantField {...{ fields, change, errorOf }} choices={choices} />
      <LinesField {...{ fields, change, errorOf }} choices={choices} />
    </section>
  );
}

function AssistantField({ fields, change, errorOf, choices }: FormProps & { choices: TaskChoices }) {
  const t = useTexts(texts);
  const { assistants: known, query, textOf, assistantText } = choices;
  const { data } = query;
  const isKnown = known.some(({ id }) => id === fields.assistantId);
  /** The ID that was typed; null where a name was chosen. */
  const [typed, setTyped] = useState<string | null>(null);
  const isOther =
    typed === fields.assistantId ||
    (data !== undefined && !isKnown && (fields.assistantId !== "" || known.length === 0));
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
              setTyped(value === OTHER ? "" : null);
              change({ assistantId: value === OTHER ? "" : value });
            }}
          >
            <option value="" disabled>
              {t.choose}
            </option>
            {known.map((each) => (
              <option key={each.id} value={each.id}>
                {textOf(each)}
              </option>
            ))}
            {/* Until the names are read, a browser would show another choice in its place. */}
            {fields.assistantId !== "" && !isKnown && !isOther && (
              <option value={fields.assistantId}>{assistantText(fields.assistantId)}</option>
            )}
            <option value={OTHER}>{t.otherAssistant}</option>
          </select>
          {isOther && (
            <input
              inputMode="numeric"
              aria-label={t.assistantId}
              placeholder={t.assistantId}
              value={fields.assistantId}
              onChange={({ target }) => {
                // The field stays while it is empty, and while the ID begins like a known one.
                setTyped(target.value.trim());
                change({ assistantId: target.value.trim() });
              }}
            />
          )}
        </div>
      )}
    </FormField>
  );
}

const idsIn = (text: string): string[] => [...new Set(text.split(/[\s,，]+/).filter((id) => id !== ""))];

function LinesField({ fields, change, errorOf, choices }: FormProps & { choices: TaskChoices }) {
  const t = useTexts(texts);
  const { lines: known, textOf, query } = choices;
  const chosen = new Set(fields.lineIds);
  const isRead = query.data !== undefined || query.error !== null;
  const isOther = (id: string) => known.every((line) => line.id !== id);
  // Until the known lines are read, it is not known which are others.
  const others = isRead ? fields.lineIds.filter(isOther) : [];
  /** What was typed, and the lines that it added to those that were chosen already. */
  const [typed, setTyped] = useState<{ text: string; added: readonly string[] }>({ text: "", added: [] });
  const typedIds = idsIn(typed.text);
  // A plan that is opened or copied brings others.
  const isTyped = typedIds.every((id) => chosen.has(id)) && others.every((id) => typedIds.includes(id));
  const text = isTyped ? typed.text : others.join(", ");
  return (
    <FormField label={t.lines} hint={t.linesHint} error={errorOf("lineIds")} as="group">
      {() => (
        <div className={styles["lines"]}>
          {known.map((line) => (
            <label key={line.id} className={styles["check"]}>
              <input
                type="checkbox"
                checked={chosen.has(line.id)}
                onChange={({ target }) =>
                  change({
                    lineIds: target.checked
                      ? [...fields.lineIds, line.id]
                      : fields.lineIds.filter((id) => id !== line.id),
                  })
                }
              />
              {textOf(line)}
            </label>
          ))}
          <input
            aria-label={t.otherLines}
            placeholder={t.otherLines}
            value={text}
            onChange={({ target: { value } }) => {
              const before = new Set(isTyped ? [...typed.added, ...others] : others);
              const kept = fields.lineIds.filter((id) => !before.has(id));
              const added = idsIn(value).filter((id) => !kept.includes(id));
              setTyped({ text: value, added });
              change({ lineIds: [...kept, ...added] });
            }}
          />
        </div>
      )}
    </FormField>
  );
}
