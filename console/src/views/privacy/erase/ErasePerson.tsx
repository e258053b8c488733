// Erases a person's number, after a question that says what would go.
import { useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import { isWholeNumber, readPhone } from "../../../../../src/format/readPhone.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Confirm } from "../../../ui/Confirm.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { codeOf } from "../codeOf.ts";
import { forgetPhoneDocument } from "../documents.ts";
import { NumberForm } from "../NumberForm.tsx";
import { texts } from "../texts/texts.ts";
import { ErasedList, type ErasedCounts } from "./ErasedList.tsx";
import styles from "../privacy.module.css";

interface Question {
  number: string;
  counts: ErasedCounts;
}

/** `onListed`: the number was put on the never-call list, too. */
export function ErasePerson({ onListed }: { onListed: () => void }) {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const client = useSwitchboard();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState<"counting" | "erasing" | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [neverCall, setNeverCall] = useState(false);
  const [result, setResult] = useState<(Question & { isListed: boolean }) | null>(null);

  /** Ends the count of a number that is not in the field any more. */
  const counting = useRef<AbortController | null>(null);

  async function ask(number: string, dryRun: boolean, signal?: AbortSignal): Promise<ErasedCounts> {
    const variables = { number, dryRun, neverCall: neverCall && !dryRun };
    const { forgetPhone } = await client.mutate(forgetPhoneDocument, variables, { signal });
    if (!forgetPhone) throw new Error("The gateway answered without counts and without an error.");
    return forgetPhone;
  }
  async function run(name: "counting" | "erasing", action: () => Promise<void>): Promise<void> {
    setBusy(name);
    setProblem("");
    try {
      await action();
    } catch (error) {
      const what = name === "counting" ? t.notCounted : t.notErased;
      setProblem(`${what} ${errorText(shared, codeOf(error))}`);
      setQuestion(null);
    }
    setBusy(null);
  }
  async function count(number: string): Promise<void> {
    const { signal } = (counting.current = new AbortController());
    const counts = await ask(number, true, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (counts && !signal.aborted) setQuestion({ number, counts });
  }
  function submit(): void {
    const number = text.trim();
    const reading = readPhone(number);
    setResult(null);
    // The calls of all who share a number would be erased.
    if (!isWholeNumber(reading) || reading.extension !== null) return setProblem(t.numberBad);
    setNeverCall(false);
    void run("counting", () => count(number));
  }
  async function erase({ number }: Question): Promise<void> {
    try {
      setResult({ number, counts: await ask(number, false), isListed: neverCall });
    } finally {
      // The number is put on the list first, and stays there where erasing fails.
      if (neverCall) onListed();
    }
    setQuestion(null);
    setText("");
  }
  return (
    <section className={styles["section"]} aria-labelledby="erase">
      <h2 id="erase">{t.erase}</h2>
      <p className={styles["lead"]}>{t.eraseHint}</p>
      <NumberForm
        text={text}
        button={busy === "counting" ? t.counting : t.eraseButton}
        isBusy={busy !== null}
        problem={problem}
        onText={(next) => {
          setText(next);
          setProblem("");
          counting.current?.abort();
        }}
        onSubmit={submit}
      >
        {result && (
          <>
            <p>{t.erased(result.number)}</p>
            <ErasedList counts={result.counts} />
            {result.isListed && <p>{t.erasedListed}</p>}
          </>
        )}
      </NumberForm>
      <Confirm
        isOpen={question !== null}
        title={t.eraseTitle(question?.number ?? "")}
        confirmText={busy === "erasing" ? t.erasing : t.eraseConfirm(question?.number ?? "")}
        cancelText={t.cancel}
        isBusy={busy !== null}
        onConfirm={() => question && void run("erasing", () => erase(question))}
        onClose={() => setQuestion(null)}
      >
        <p>{t.eraseText}</p>
        {question && <ErasedList counts={question.counts} />}
        <p>{t.eraseFinal}</p>
        <label className={styles["check"]}>
          <input type="checkbox" checked={neverCall} onChange={({ target }) => setNeverCall(target.checked)} />
          {t.neverCallToo}
        </label>
      </Confirm>
    </section>
  );
}
