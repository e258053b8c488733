import { useRef, useState, type SubmitEvent } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { useNow } from "../locale/useNow.ts";
import { Button } from "../ui/Button.tsx";
import { LanguageChoice } from "../frame/LanguageChoice.tsx";
import { Logo } from "../frame/Logo.tsx";
import type { Session, SessionState } from "./session.ts";
import styles from "./signIn.module.css";

export function SignIn({ session, state }: { session: Session; state: SessionState }) {
  const { t } = useLocale();
  return (
    <main className={styles["page"]}>
      <div className={styles["panel"]}>
        <Logo />
        {state.name === "signedOut" && <KeyForm session={session} reason={state.reason} />}
        {state.name === "opening" && (
          <p className={styles["opening"]} role="status">
            {t.session.opening}
          </p>
        )}
        {state.name === "unreachable" && <Unreachable session={session} retryAt={state.retryAt} />}
      </div>
      <LanguageChoice />
    </main>
  );
}

function KeyForm({ session, reason }: { session: Session; reason: "refused" | "ended" | "limited" | null }) {
  const { t } = useLocale();
  const [isBusy, setBusy] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const problem = isMissing ? t.session.missing : reason && t.session[reason];

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const key = field.current?.value.trim() ?? "";
    setMissing(key === "");
    if (key === "") return field.current?.focus();
    setBusy(true);
    await session.signIn(key);
    setBusy(false);
    field.current?.select();
  }
  return (
    <form onSubmit={(event) => void submit(event)} className={styles["form"]} noValidate>
      <h1>{t.session.title}</h1>
      <p className={styles["lead"]}>{t.session.lead}</p>
      <label htmlFor="key">{t.session.key}</label>
      <input
        id="key"
        ref={field}
        type="password"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        aria-describedby={problem ? "key-problem key-hint" : "key-hint"}
        aria-invalid={problem !== null && problem !== ""}
      />
      <p id="key-problem" role="alert" className={styles["problem"]}>
        {problem}
      </p>
      <Button kind="primary" type="submit" disabled={isBusy}>
        {isBusy ? t.session.signingIn : t.session.submit}
      </Button>
      <p id="key-hint" className={styles["hint"]}>
        {t.session.hint}
      </p>
    </form>
  );
}

function Unreachable({ session, retryAt }: { session: Session; retryAt: number }) {
  const { t } = useLocale();
  const now = useNow(500);
  const seconds = String(Math.max(0, Math.ceil((retryAt - now) / 1000)));
  return (
    <div className={styles["form"]}>
      <h1>{t.session.unreachable}</h1>
      <p className={styles["lead"]}>{t.session.retrying(seconds)}</p>
      <Button onClick={session.open}>{t.session.retry}</Button>
    </div>
  );
}
