// Events that a destination did not take and that later ones have overtaken, a page at a time, read when they are opened.
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import { useQuery } from "../../data/useQuery.ts";
import type { ConsoleDestinationLettersQuery } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { ErrorBar, errorText } from "../../ui/ErrorBar.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { AnswerText } from "./AnswerText.tsx";
import { lettersDocument, sendLetterDocument } from "./documents.ts";
import { texts } from "./texts/texts.ts";
import { useAction } from "./useAction.ts";
import styles from "./destinations.module.css";

type Letter = NonNullable<ConsoleDestinationLettersQuery["destinationLetters"]>[number];

const PAGE_SIZE = 20;

/** `isRunning`: events are sent to the destination, or will be as soon as its receiver is back. */
export function Letters({ name, count, isRunning }: { name: string; count: number; isRunning: boolean }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles["letters"]} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.showLetters(format.number(count))}</summary>
      {isOpen && <LetterPage name={name} isRunning={isRunning} />}
    </details>
  );
}

function LetterPage({ name, isRunning }: { name: string; isRunning: boolean }) {
  const t = useTexts(texts);
  const [after, setAfter] = useState<string | null>(null);
  const variables = useMemo(() => ({ name, after }), [name, after]);
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(lettersDocument, variables);
  const letters = data?.destinationLetters;
  const last = letters?.length === PAGE_SIZE ? letters.at(-1)?.cursor : undefined;
  return (
    <>
      <p className={styles["hint"]}>{t.lettersHint}</p>
      {error && (
        <ErrorBar
          code={error.code}
          what={t.lettersFailed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          onRetry={refetch}
        />
      )}
      {!letters && !error && <Skeleton rows={3} />}
      {letters?.length === 0 && <p>{t.noLetters}</p>}
      <ul>
        {letters?.map((letter) => (
          <LetterItem key={letter.cursor} name={name} letter={letter} isRunning={isRunning} />
        ))}
      </ul>
      <div className={styles["buttons"]}>
        <Button kind="quiet" onClick={refetch}>
          {t.readAgain}
        </Button>
        {after !== null && <Button onClick={() => setAfter(null)}>{t.first}</Button>}
        {last !== undefined && <Button onClick={() => setAfter(last)}>{t.more}</Button>}
      </div>
    </>
  );
}

function LetterItem({ name, letter, isRunning }: { name: string; letter: Letter; isRunning: boolean }) {
  const { cursor, attempts, firstAt, secondsToNext, event, lastAnswer } = letter;
  const t = useTexts(texts);
  const { t: shared, format } = useLocale();
  const client = useSwitchboard();
  const { isBusy, done, code, run } = useAction<"sentAgain" | "goneLetter">();
  async function send() {
    const { sendDestinationLetter } = await client.mutate(sendLetterDocument, { name, cursor });
    return sendDestinationLetter ? "sentAgain" : "goneLetter";
  }
  return (
    <li className={styles["letter"]}>
      <div className={styles["letterHead"]}>
        {event ? (
          <Link to="/destinations" search={(before) => ({ ...before, call: event.sessionId })}>
            {event.sessionId}
          </Link>
        ) : (
          <span>{t.noEvent}</span>
        )}
        {event && (
          <span>
            {event.caller ?? shared.format.none} → {event.callee ?? shared.format.none} · <Time value={event.endAt} />
          </span>
        )}
        <Button disabled={isBusy || !isRunning} onClick={() => void run(send)}>
          {t.sendAgain}
        </Button>
      </div>
      <p>
        {t.attempts(format.number(attempts))} <Time value={firstAt} />
        {" · "}
        {secondsToNext === null ? t.noNext : t.nextIn(format.duration(secondsToNext * 1000))}
        {lastAnswer && (
          <>
            {" · "}
            <AnswerText answer={lastAnswer} />
          </>
        )}
      </p>
      <p className={styles["hint"]}>
        {t.cursorOf} <code>{cursor}</code>
      </p>
      <p role="status" className={styles["done"]}>
        {done && t[done]}
        {code !== null && `${t.notDone} ${errorText(shared, code)}`}
      </p>
    </li>
  );
}
