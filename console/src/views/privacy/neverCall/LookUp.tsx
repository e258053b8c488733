// Whether one number is on the list, and a way to put it there or take it off.
import { useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import { isWholeNumber, readPhone } from "../../../../../src/format/readPhone.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Confirm } from "../../../ui/Confirm.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { codeOf } from "../codeOf.ts";
import { addNeverCallDocument, neverCallNumberDocument, removeNeverCallDocument } from "../documents.ts";
import { NumberForm } from "../NumberForm.tsx";
import { texts } from "../texts/texts.ts";
import styles from "../privacy.module.css";

interface Answer {
  number: string;
  isListed: boolean;
  /** It became so just now. */
  isChanged: boolean;
}

export function LookUp({ onChanged }: { onChanged: () => void }) {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const client = useSwitchboard();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isAsking, setAsking] = useState(false);
  /** Ends the look-up of a number that is not in the field any more. */
  const lookingUp = useRef<AbortController | null>(null);

  async function run(action: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem("");
    await action().catch((error: unknown) => setProblem(`${t.notDone} ${errorText(shared, codeOf(error))}`));
    setBusy(false);
    setAsking(false);
  }
  async function isListed(number: string, signal?: AbortSignal): Promise<boolean> {
    return (await client.query(neverCallNumberDocument, { number }, { signal })).doNotCall?.contains === true;
  }
  async function lookUp(number: string): Promise<void> {
    const { signal } = (lookingUp.current = new AbortController());
    const found = await isListed(number, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (found !== undefined && !signal.aborted) setAnswer({ number, isListed: found, isChanged: false });
  }
  /** Asks the list afterwards: another entry may stand for the number, too. */
  async function change(number: string, document: typeof addNeverCallDocument | typeof removeNeverCallDocument) {
    await client.mutate<unknown, { numbers: string[] }>(document, { numbers: [number] });
    onChanged();
    setAnswer({ number, isListed: await isListed(number), isChanged: true });
  }
  function submit(): void {
    const number = text.trim();
    setAnswer(null);
    if (!isWholeNumber(readPhone(number))) return setProblem(t.notOneNumber);
    void run(() => lookUp(number));
  }
  return (
    <>
      <NumberForm
        text={text}
        button={t.lookUp}
        isBusy={isBusy}
        problem={problem}
        onText={(next) => {
          setText(next);
          setProblem("");
          setAnswer(null);
          lookingUp.current?.abort();
        }}
        onSubmit={submit}
      >
        {/* Another number may have been typed while the list was changed. */}
        {answer?.number === text.trim() && (
          <p className={styles["answer"]}>
            <span>{wordsOf(answer, t)}</span>
            {answer.isListed ? (
              <Button disabled={isBusy} onClick={() => setAsking(true)}>
                {t.remove}
              </Button>
            ) : (
              <Button disabled={isBusy} onClick={() => void run(() => change(answer.number, addNeverCallDocument))}>
                {t.add}
              </Button>
            )}
          </p>
        )}
      </NumberForm>
      <Confirm
        isOpen={isAsking}
        title={t.removeTitle(answer?.number ?? "")}
        confirmText={t.removeConfirm(answer?.number ?? "")}
        cancelText={t.cancel}
        isBusy={isBusy}
        onConfirm={() => answer && void run(() => change(answer.number, removeNeverCallDocument))}
        onClose={() => setAsking(false)}
      >
        <p>{t.removeText}</p>
      </Confirm>
    </>
  );
}

function wordsOf({ number, isListed, isChanged }: Answer, t: (typeof texts)["en"]): string {
  if (isListed) return isChanged ? t.nowListed(number) : t.isListed(number);
  return isChanged ? t.nowNotListed(number) : t.isNotListed(number);
}
