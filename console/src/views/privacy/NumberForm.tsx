// One phone number and the button that does something with it. What is wrong with the number, and what came of it, stand below.
import { useId, type ReactNode, type SubmitEvent } from "react";
import { useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./privacy.module.css";

export function NumberForm(props: {
  text: string;
  button: string;
  isBusy: boolean;
  problem: string;
  onText: (text: string) => void;
  onSubmit: () => void;
  /** What came of it. */
  children: ReactNode;
}) {
  const { text, button, isBusy, problem, onText, onSubmit, children } = props;
  const t = useTexts(texts);
  const id = useId();
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!isBusy) onSubmit();
  }
  return (
    <form onSubmit={submit} className={styles["form"]} noValidate>
      <label htmlFor={id}>{t.number}</label>
      <input
        id={id}
        type="tel"
        autoComplete="off"
        maxLength={64}
        value={text}
        onChange={({ target }) => onText(target.value)}
        aria-describedby={`${id}-hint ${id}-problem`}
        aria-invalid={problem !== ""}
      />
      <Button type="submit" disabled={text.trim() === "" || isBusy}>
        {button}
      </Button>
      <p id={`${id}-hint`} className={styles["hint"]}>
        {t.numberHint}
      </p>
      <p id={`${id}-problem`} role="alert" className={styles["problem"]}>
        {problem}
      </p>
      <div role="status" className={styles["result"]}>
        {children}
      </div>
    </form>
  );
}
