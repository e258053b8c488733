// A table of numbers that are put on the list or taken off it, after a question with the number of people.
import { useEffect, useRef, useState } from "react";
import { NO_CHOICE, type TableChoice } from "../../../../../src/format/tables/tableShape.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Confirm } from "../../../ui/Confirm.tsx";
import { PeopleSection } from "../../tasks/create/PeopleSection.tsx";
import { useNumberCheck } from "../../tasks/create/useNumberCheck.ts";
import { texts } from "../texts/texts.ts";
import { ListChangeBar } from "./ListChangeBar.tsx";
import { useListChange, type ChangeKind } from "./useListChange.ts";
import styles from "../privacy.module.css";

/** Only the numbers are read. */
const NUMBERS_ALONE = { name: -1, gender: -1, salesPersonName: -1 };
const withNumbersAlone = (choice: TableChoice): TableChoice => ({
  ...choice,
  columns: { ...choice.columns, ...NUMBERS_ALONE },
});
const FIRST_CHOICE = withNumbersAlone(NO_CHOICE);
/** As the list takes them. */
const LEAST_DIGITS = 7;

export function ManyNumbers({ onChanged }: { onChanged: () => void }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  const [text, setText] = useState("");
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const [asked, setAsked] = useState<ChangeKind | null>(null);
  const check = useNumberCheck(text, choice, LEAST_DIGITS);
  const change = useListChange(onChanged);
  const bar = useRef<HTMLDivElement>(null);
  const { name } = change.state;
  // The buttons may stand at the end of the window.
  useEffect(() => {
    if (name !== "none") bar.current?.scrollIntoView({ block: "nearest" });
  }, [name]);
  const people = check.numbers.length;
  const isReady = check.name === "done" && people > 0 && !change.isBusy;
  const shown = format.number(people);
  const leftOut = check.done?.problemCount ?? 0;
  const kind = asked ?? "add";
  return (
    <div className={styles["many"]}>
      <PeopleSection
        text={text}
        isKept
        onText={(next) => {
          setText(next);
          setChoice(FIRST_CHOICE);
        }}
        choice={choice}
        onChoice={(next) => setChoice(withNumbersAlone(next))}
        check={check}
        error={check.name === "asked" ? t.table.asked : null}
        columns={["number"]}
        words={t.table}
      />
      <div className={styles["buttons"]}>
        {(["add", "remove"] as const).map((each) => (
          <Button key={each} disabled={!isReady} onClick={() => setAsked(each)}>
            {isReady ? t.many[each].button(shown) : t.many[each].noButton}
          </Button>
        ))}
      </div>
      <div ref={bar}>
        <ListChangeBar change={change} />
      </div>
      <Confirm
        isOpen={asked !== null}
        title={t.many[kind].title(shown)}
        confirmText={t.many[kind].confirm(shown)}
        cancelText={t.cancel}
        isBusy={false}
        onConfirm={() => {
          change.start(kind, check);
          setAsked(null);
        }}
        onClose={() => setAsked(null)}
      >
        <p>{t.many[kind].text}</p>
        {leftOut > 0 && <p>{t.leftOut(format.number(leftOut))}</p>}
      </Confirm>
    </div>
  );
}
