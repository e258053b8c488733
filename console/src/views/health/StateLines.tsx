// The state of each part, and what to do about it. The badge in the bar of every view leads to one of the lines.
import { useLocation } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle } from "lucide-react";
import { useEffect } from "react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useNow } from "../../locale/useNow.ts";
import { useConsoleState } from "../../state/StateProvider.tsx";
import type { Judgement, StateLine, Tone } from "../../state/judge.ts";
import { useStateText } from "../../state/useStateText.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./stateLines.module.css";

const ICONS: Record<Tone, typeof CircleX> = {
  bad: CircleX,
  warning: CircleAlert,
  busy: LoaderCircle,
  quiet: CircleDashed,
  good: CircleCheck,
};

export function StateLines() {
  const t = useTexts({ en, zh });
  const { lines, isOld } = useConsoleState();
  const chosen = useLocation({ select: ({ hash }) => hash });
  const shown = lines.filter(({ judgement }) => judgement.is !== "unseen");
  useEffect(() => {
    if (chosen !== "") document.getElementById(`state-${chosen}`)?.focus();
  }, [chosen]);
  return (
    <section aria-label={t.now}>
      <ul className={styles["lines"]}>
        {shown.map((line) => (
          <Line key={line.subject} line={line} isOld={isOld && line.subject !== "gateway"} />
        ))}
      </ul>
    </section>
  );
}

/** `isOld`: it was so when the gateway was last heard. */
function Line({ line: { subject, tone, judgement }, isOld }: { line: StateLine; isOld: boolean }) {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const now = useNow(1000);
  const textOf = useStateText();
  const Icon = ICONS[tone];
  return (
    <li id={`state-${subject}`} tabIndex={-1} data-tone={tone} data-old={isOld || undefined} className={styles["line"]}>
      <Icon size={18} aria-hidden="true" />
      <p className={styles["what"]}>{textOf(judgement, now)}</p>
      <p className={styles["advice"]}>{adviceOf(judgement, t, format.zone)}</p>
    </li>
  );
}

function adviceOf(judgement: Judgement, t: typeof en, zone: string): string {
  if (judgement.is === "webhooksRefused") return t.refusals[judgement.reason];
  return judgement.is === "gatewayAway" ? t.advice.gatewayAway(zone) : t.advice[judgement.is];
}
