// What is missing before the task can be sent, what the gateway says of it, and then the question.
import { useTexts } from "../../../locale/Locale.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { texts as planTexts } from "../plan/texts/texts.ts";
import type { CheckedTask, TaskCheck } from "../plan/useTaskCheck.ts";
import type { TaskChoices } from "../useTaskChoices.ts";
import type { Fields } from "./draft.ts";
import { Question } from "./Question.tsx";
import { fieldOf, type FieldName } from "./taskInput.ts";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

export function ConfirmSection(props: {
  fields: Fields;
  choices: TaskChoices;
  invalid: ReadonlySet<FieldName>;
  isReady: boolean;
  checked: CheckedTask;
  /** Why the gateway would refuse it. */
  refusals: TaskCheck["errors"];
  onSend: () => void;
}) {
  const { fields, choices, invalid, isReady, checked, refusals, onSend } = props;
  const t = useTexts(texts);
  const plan = useTexts(planTexts);
  const { check, error, failedSince, retryAt, again } = checked;
  const assistant = choices.assistants.find(({ id }) => id === fields.assistantId)?.name;
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
      {isReady && error && (
        <ErrorBar code={error.code} what={plan.checkFailed} since={failedSince} retryAt={retryAt} onRetry={again} />
      )}
      {isReady && !error && !check && (
        <p className={styles["hint"]} role="status">
          {plan.checking}
        </p>
      )}
      {isReady && refusals.length > 0 && <Refusals errors={refusals} />}
      {isReady && check && refusals.length === 0 && check.people !== null && (
        // Another number of people, or other hours, are another question.
        <Question
          key={JSON.stringify([check.people, hoursOf(check), check.schedule?.startDate])}
          fields={fields}
          assistant={assistant}
          check={{ ...check, people: check.people }}
          onSend={onSend}
        />
      )}
    </section>
  );
}

/** As the service's clock shows them: the instants of a daily plan are those of its next day. */
const hoursOf = ({ schedule }: TaskCheck) => schedule?.periods.map(({ from, to }) => [from, to]);

const SHOWN = 5;

/** A mistake of a field stands at that field, too. */
function Refusals({ errors }: { errors: TaskCheck["errors"] }) {
  const t = useTexts(texts);
  const plan = useTexts(planTexts);
  const lines = errors.map(({ code, path, message }) => {
    const field = fieldOf(path);
    if (code === "DO_NOT_CALL") return t.neverCalled;
    return field === null ? plan.refusal(message) : plan.place(t.fields[field], message);
  });
  return (
    <div className={styles["incomplete"]} role="alert">
      <p>{plan.refused}</p>
      <ul>
        {[...new Set(lines)].slice(0, SHOWN).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
