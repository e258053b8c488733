// The form of a new task, from its numbers to the confirmation.
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { View } from "../../../frame/View.tsx";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { dateProblem } from "../../../ui/dateTime/dateProblem.ts";
import { readEndTime, readTime } from "../../../ui/dateTime/readDateTime.ts";
import { texts as dateTexts } from "../../../ui/dateTime/texts/texts.ts";
import { useTaskCheck } from "../plan/useTaskCheck.ts";
import { lossText } from "./copiedLosses.ts";
import { AgainSection } from "./AgainSection.tsx";
import { ConfirmSection } from "./ConfirmSection.tsx";
import {
  dropDraft,
  emptyFields,
  keepDraft,
  keepNumbers,
  NO_CHOICE,
  readDraft,
  readNumbers,
  type Fields,
} from "./draft.ts";
import { Outcome } from "./Outcome.tsx";
import { PeopleSection } from "./PeopleSection.tsx";
import { SavedPlanList, SavePlan } from "./SavedPlans.tsx";
import { ScheduleSection } from "./ScheduleSection.tsx";
import { fieldOf, inputOf, invalidFields, NO_TABLE, type FieldName } from "./taskInput.ts";
import { TaskSection } from "./TaskSection.tsx";
import { texts } from "./texts/texts.ts";
import { useTaskChoices } from "../useTaskChoices.ts";
import { useTaskRights } from "../useTaskRights.ts";
import { useCreate } from "./useCreate.ts";
import { useNumberCheck } from "./useNumberCheck.ts";
import { useSavedPlans } from "./useSavedPlans.ts";
import styles from "./create.module.css";

const MOST_NUMBERS = 100_000;
/** A body has at most 16 MiB; the rest of the input is small. */
const MOST_BYTES = 16 * 1024 * 1024 - 64 * 1024;

export function CreateTask() {
  const t = useTexts(texts);
  const dates = useTexts(dateTexts);
  const { format, language } = useLocale();
  const { viewer, serviceTimeZone } = useSession();
  const { submits } = useTaskRights();
  const title = submits === "proposes" ? t.proposeTitle : t.title;
  const navigate = useNavigate();
  const [fields, setFields] = useState(() => readDraft(viewer.name)?.fields ?? emptyFields(serviceTimeZone));
  const [key, setKey] = useState(() => readDraft(viewer.name)?.key ?? null);
  const [copied] = useState(() => readDraft(viewer.name)?.copied ?? null);
  const [text, setText] = useState(() => (readDraft(viewer.name) ? readNumbers() : ""));
  const [isKept, setKept] = useState(true);
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const check = useNumberCheck(text, fields.choice);
  const choices = useTaskChoices();
  const isOver = useRef(false);
  const page = useRef<HTMLDivElement>(null);
  // The link that opened the form is gone: Tab goes on in the form.
  useEffect(() => page.current?.focus(), []);

  const keepKey = useCallback(
    (next: string | null) => {
      keepDraft(viewer.name, { fields, key: next });
      setKey(next);
    },
    [viewer.name, fields],
  );
  const create = useCreate({
    sentKey: key,
    keepKey,
    onSent(submission) {
      isOver.current = true;
      dropDraft();
      void navigate({ to: "/tasks", search: { submission }, replace: true });
    },
  });
  useEffect(() => {
    if (isOver.current) return;
    try {
      keepDraft(viewer.name, { fields, key });
    } catch {
      setKept(false);
    }
  }, [viewer.name, fields, key]);
  useEffect(() => {
    if (!isOver.current) setKept(keepNumbers(text));
  }, [text]);

  const { state } = create;
  const invalid = invalidFields(fields);
  const from = fields.from ?? null;
  const numbersError = from ? null : listError();
  const isListed = from !== null || (check.name === "done" && numbersError === null);
  const isReady = isListed && invalid.size === 0;
  const { numbers } = check;
  const columns = from ? NO_TABLE : check.shape?.columns;
  const checkInput = useMemo(
    () => (isReady && columns ? inputOf(fields, columns, numbers) : null),
    [isReady, fields, columns, numbers],
  );
  const checked = useTaskCheck(checkInput);
  // The limits count a task that may have been sent.
  const refusals = key === null ? (checked.check?.errors ?? []) : [];
  const sentMistakes = state.name === "editing" ? state.mistakes : [];
  const mistakes = sentMistakes.length > 0 ? sentMistakes : refusals;
  function listError(): string | null {
    if (check.name === "asked") return t.asked;
    if (check.name !== "done" || !check.done) return null;
    if (check.numbers.length === 0) return t.invalid.numbers;
    if (check.numbers.length > MOST_NUMBERS) return t.tooMany(format.number(check.numbers.length));
    return check.done.bytes > MOST_BYTES ? t.tooLarge : null;
  }
  function errorOf(field: FieldName): string | null {
    const mistake = mistakes.find(({ path }) => fieldOf(path) === field);
    if (mistake && field === "numbers") return rowMistakes();
    if (mistake) return t.refusedField(mistake.message);
    if (field === "numbers") return numbersError;
    if (!invalid.has(field) || !touched.has(field)) return null;
    return wrongText(field) ?? t.invalid[field];
  }
  /** What was typed and is no date or time. */
  function wrongText(field: FieldName): string | null {
    if (field === "startDate" && fields.startDate !== "") return dateProblem(fields.startDate, dates, language);
    const times = fields.periods.flatMap(({ from, until }) => [readTime(from || "0"), readEndTime(until || "0")]);
    return field === "periods" && times.includes(null) ? dates.noTime : null;
  }
  function rowMistakes(): string {
    const ofNumbers = mistakes.filter(({ path }) => fieldOf(path) === "numbers").slice(0, 5);
    const lines = ofNumbers.map(({ path: [, at], message }) => {
      const row = at === undefined ? undefined : check.rows[Number(at)];
      return row === undefined ? t.refusedField(message) : `${t.row} ${format.number(row)}: ${t.refusedField(message)}`;
    });
    return lines.join(" ");
  }
  function change(changed: Partial<Fields>): void {
    setFields((before) => ({ ...before, ...changed }));
    setTouched((before) => new Set([...before, ...(Object.keys(changed) as FieldName[])]));
    create.edit();
  }
  const plans = useSavedPlans(viewer.name, change);
  const isLocked = state.name !== "editing";
  const props = { fields, change, errorOf };
  const send = () => columns && void create.send(fields, columns, check.numbers);
  return (
    <View
      title={title}
      actions={
        <Link to="/tasks" search={{}} className={styles["back"]}>
          <ArrowLeft size={14} aria-hidden="true" />
          {t.back}
        </Link>
      }
    >
      <div className={styles["page"]} ref={page} role="group" aria-label={title} tabIndex={-1}>
        <form onSubmit={(event) => event.preventDefault()} noValidate className={styles["form"]}>
          <Outcome
            create={create}
            mistakes={sentMistakes}
            canSend={isReady}
            needsTable={from === null && (check.name !== "done" || check.numbers.length === 0)}
            onSend={send}
          />
          <fieldset disabled={isLocked} className={styles["all"]}>
            <legend className="hidden">{title}</legend>
            <SavedPlanList fields={fields} plans={plans} />
            {copied && (
              <p className={styles["copied"]}>
                {[...(from ? [] : [t.copiedFrom(copied.from)]), ...copied.losses.map((loss) => lossText(loss, t))].join(
                  " ",
                )}
              </p>
            )}
            <TaskSection {...props} choices={choices} />
            {from ? (
              <AgainSection source={from} check={checked.check} onTable={() => change({ from: null })} />
            ) : (
              <PeopleSection
                text={text}
                isKept={isKept}
                onText={(next) => {
                  setText(next);
                  change({ choice: NO_CHOICE });
                }}
                choice={fields.choice}
                onChoice={(choice) => change({ choice })}
                check={check}
                error={errorOf("numbers")}
              />
            )}
            <ScheduleSection {...props} />
            <ConfirmSection
              fields={fields}
              choices={choices}
              invalid={isListed ? invalid : new Set([...invalid, "numbers"])}
              isReady={isReady}
              checked={checked}
              refusals={refusals}
              onSend={send}
            />
            {!from && <SavePlan fields={fields} plans={plans} />}
          </fieldset>
        </form>
      </div>
    </View>
  );
}
