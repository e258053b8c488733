// Whether a call was answered: a colour, a sign and a word.
import { Check, CircleHelp, PhoneMissed } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import styles from "./outcome.module.css";

export function Outcome(props: { answered: boolean | null; isReconciled: boolean }) {
  const { answered, isReconciled } = props;
  const { t } = useLocale();
  const Icon = answered === null ? CircleHelp : answered ? Check : PhoneMissed;
  const word = answered === null ? t.format.unknown : answered ? t.call.answered : t.call.notAnswered;
  return (
    <span
      className={styles["outcome"]}
      data-answered={String(answered)}
      data-reconciled={isReconciled || undefined}
      title={isReconciled ? `${t.call.reconciled}: ${t.call.reconciledHint}` : undefined}
    >
      <Icon size={14} aria-hidden="true" />
      {word}
      {isReconciled && <span className="hidden">{t.call.reconciled}</span>}
    </span>
  );
}
