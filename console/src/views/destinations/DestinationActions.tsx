// Pause, go on, send a test, and send again from a time or a cursor on. What came of it stays until the next action.
import { useId, useState, type SubmitEvent } from "react";
import { useSwitchboard } from "switchboard-client/react";
import type { ConsoleDestinationFragment } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { errorText } from "../../ui/ErrorBar.tsx";
import { instantOf } from "../../ui/timeRange/timeRange.ts";
import { AnswerText } from "./AnswerText.tsx";
import { pauseDocument, resumeDocument, testDocument } from "./documents.ts";
import { texts } from "./texts/texts.ts";
import { useAction } from "./useAction.ts";
import styles from "./destinations.module.css";

type Done =
  | { name: "paused" | "resumed" | "replayed" }
  | { name: "tested"; answer: { status: number | null; text: string | null } };

export function DestinationActions(props: { destination: ConsoleDestinationFragment; onChanged: () => void }) {
  const { destination, onChanged } = props;
  const { name, getsCalls, state, enabled } = destination;
  const t = useTexts(texts);
  const { t: shared, format } = useLocale();
  const client = useSwitchboard();
  const { isBusy, done, code, run } = useAction<Done>();
  const [place, setPlace] = useState<"since" | "after">("since");
  const [since, setSince] = useState("");
  const [after, setAfter] = useState("");
  const [isAsking, setAsking] = useState(false);
  const id = useId();
  const isRunning = state !== "PAUSED" && state !== "DISABLED";

  async function change(to: "pause" | "resume"): Promise<Done> {
    if (to === "pause") await client.mutate(pauseDocument, { name });
    else await client.mutate(resumeDocument, { name });
    onChanged();
    return { name: to === "pause" ? "paused" : "resumed" };
  }
  async function test(): Promise<Done> {
    const { testDestination: answer } = await client.mutate(testDocument, { name });
    return { name: "tested", answer: answer ?? { status: null, text: null } };
  }
  async function replay(): Promise<Done> {
    // The browser reads a time without a zone in the viewer's.
    const from = place === "since" ? { since: instantOf(since) } : { after: after.trim() };
    await client.mutate(resumeDocument, { name, ...from });
    onChanged();
    setSince("");
    setAfter("");
    return { name: "replayed" };
  }
  const isGiven = place === "since" ? instantOf(since) !== null : after.trim() !== "";
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isGiven) setAsking(true);
  }
  return (
    <div className={styles["actions"]}>
      <div className={styles["buttons"]}>
        {enabled && (
          <Button disabled={isBusy} onClick={() => void run(() => change(isRunning ? "pause" : "resume"))}>
            {isRunning ? t.pause : t.resume}
          </Button>
        )}
        <Button disabled={isBusy} onClick={() => void run(test)}>
          {t.test}
        </Button>
      </div>
      {enabled && getsCalls && (
        <details>
          <summary>{t.replay}</summary>
          <form onSubmit={submit} className={styles["form"]} noValidate>
            <fieldset>
              <legend>{t.replayFrom}</legend>
              {(["since", "after"] as const).map((each) => (
                <label key={each}>
                  <input type="radio" name={`${id}-place`} checked={place === each} onChange={() => setPlace(each)} />
                  {t.places[each]}
                </label>
              ))}
            </fieldset>
            <label htmlFor={id}>{place === "since" ? `${t.time} (${format.zone})` : t.cursor}</label>
            {place === "since" ? (
              <input
                id={id}
                type="datetime-local"
                step={1}
                value={since}
                onChange={({ target }) => setSince(target.value)}
                aria-describedby={`${id}-hint`}
              />
            ) : (
              <input
                id={id}
                autoComplete="off"
                spellCheck={false}
                maxLength={64}
                value={after}
                onChange={({ target }) => setAfter(target.value)}
                aria-describedby={`${id}-hint`}
              />
            )}
            <Button type="submit" disabled={!isGiven || isBusy}>
              {t.replayButton}
            </Button>
            <p id={`${id}-hint`} className={styles["hint"]}>
              {place === "since" ? t.timeHint : t.cursorHint}
            </p>
          </form>
        </details>
      )}
      <p role="status" className={styles["done"]}>
        {done?.name === "tested" && (
          <>
            {t.tested} <AnswerText answer={done.answer} />
          </>
        )}
        {done && done.name !== "tested" && t[done.name]}
        {code !== null && `${t.notDone} ${errorText(shared, code)}`}
      </p>
      <Confirm
        isOpen={isAsking}
        title={place === "since" ? t.replayTitleSince(name) : t.replayTitle(name)}
        confirmText={t.replayConfirm}
        cancelText={t.cancel}
        isBusy={isBusy}
        onConfirm={() => void run(replay).then(() => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        <p>{t.replayText}</p>
        {!isRunning && <p>{t.replayResumes}</p>}
      </Confirm>
    </div>
  );
}
