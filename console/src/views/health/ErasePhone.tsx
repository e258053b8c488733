// Erases a phone number, after a question that says what this does.
import { useId, useState, type SubmitEvent } from "react";
import type { SwitchboardError } from "switchboard-client";
import { isWholeNumber, readPhone } from "../../../../src/format/readPhone.ts";
import { useSwitchboard } from "switchboard-client/react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { errorText } from "../../ui/ErrorBar.tsx";
import { forgetPhoneDocument } from "./documents.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

export function ErasePhone() {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const client = useSwitchboard();
  const id = useId();
  const [text, setText] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [result, setResult] = useState("");
  const number = text.trim();

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const reading = readPhone(number);
    // The calls of all who share a number would be erased.
    const isOne = isWholeNumber(reading) && reading.extension === null;
    setResult("");
    setProblem(isOne ? "" : t.numberBad);
    setAsking(isOne);
  }
  async function erase(): Promise<void> {
    setBusy(true);
    try {
      const { forgetPhone } = await client.mutate(forgetPhoneDocument, { number });
      const { events = 0, recordings = 0, quarantined = 0 } = forgetPhone ?? {};
      setResult(t.erased(format.number(events), format.number(recordings), format.number(quarantined)));
      setText("");
    } catch (error) {
      setProblem(`${t.actionFailed} ${errorText(shared, (error as SwitchboardError).code)}`);
    }
    setBusy(false);
    setAsking(false);
  }
  return (
    <section className={styles["section"]} aria-labelledby="erase">
      <div className={styles["sectionHead"]}>
        <h2 id="erase">{t.erase}</h2>
        <p className={styles["hint"]}>{t.eraseHint}</p>
      </div>
      <form onSubmit={submit} className={styles["erase"]} noValidate>
        <label htmlFor={id}>{t.number}</label>
        <input
          id={id}
          type="tel"
          autoComplete="off"
          maxLength={64}
          value={text}
          onChange={({ target }) => setText(target.value)}
          aria-describedby={`${id}-hint ${id}-problem`}
          aria-invalid={problem !== ""}
        />
        <Button type="submit" disabled={number === ""}>
          {t.eraseButton}
        </Button>
        <p id={`${id}-hint`} className={styles["hint"]}>
          {t.numberHint}
        </p>
        <p id={`${id}-problem`} role="alert" className={styles["problem"]}>
          {problem}
        </p>
        <p role="status">{result}</p>
      </form>
      <Confirm
        isOpen={isAsking}
        title={t.eraseTitle(number)}
        confirmText={t.eraseConfirm(number)}
        cancelText={t.cancel}
        isBusy={isBusy}
        onConfirm={() => void erase()}
        onClose={() => setAsking(false)}
      >
        <p>{t.eraseText}</p>
        <p>{t.eraseFinal}</p>
      </Confirm>
    </section>
  );
}
