// How an attempt ended: the status, or that there was none, and the beginning of what came back.
import { useTexts } from "../../locale/Locale.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./destinations.module.css";

export function AnswerText({ answer: { status, text } }: { answer: { status: number | null; text: string | null } }) {
  const t = useTexts(texts);
  // A folder, a bucket and a broker take events without a status. A chat may refuse a message with a status of 200, and says why.
  const isGood = text === null && (status === null || (status >= 200 && status < 300));
  return (
    <span className={styles["answer"]} data-state={isGood ? "good" : "bad"}>
      {status !== null ? `HTTP ${status}` : isGood ? t.taken : t.noStatus}
      {text !== null && <span className={styles["text"]}>: {text}</span>}
    </span>
  );
}
