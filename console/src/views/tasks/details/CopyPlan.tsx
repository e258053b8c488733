// Copies an earlier plan into the form of a new task, with the people to call again or without people, and asks first where a plan stands
// there that was not sent.
import { useNavigate } from "@tanstack/react-router";
import { Copy, PhoneForwarded } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { Button } from "../../../ui/Button.tsx";
import { copiedFields, formHolds, putIntoForm, type EarlierPlan } from "../create/copiedPlan.ts";
import type { AgainSource } from "../create/draft.ts";
import { texts } from "../texts/texts.ts";
import { useTaskRights } from "../useTaskRights.ts";
import styles from "./details.module.css";

/** `again`: the task whose people are called again, and how many were not reached. */
export function CopyPlan({ plan, again }: { plan: EarlierPlan; again?: AgainSource & { people: number } }) {
  const t = useTexts(texts).copy;
  const { format } = useLocale();
  const { submits } = useTaskRights();
  const { viewer, serviceTimeZone } = useSession();
  const navigate = useNavigate();
  const [asks, setAsks] = useState<"plan" | "sending" | null>(null);
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => void (asks && question.current?.focus()), [asks]);
  if (submits === null) return null;

  const label = again ? t.again(format.number(again.people)) : t.copy;
  const openForm = () => void navigate({ to: "/tasks", search: { create: "1" } });
  function copy(): void {
    const { fields, losses } = copiedFields(plan, serviceTimeZone);
    const from = again ? { taskId: again.taskId, name: again.name } : null;
    putIntoForm(viewer.name, { ...fields, from }, { from: plan.name, losses });
    openForm();
  }
  function ask(): void {
    const held = formHolds(viewer.name);
    if (held === "nothing") return copy();
    setAsks(held);
  }
  if (asks === null) {
    return (
      <Button kind={again ? "plain" : "quiet"} className={again ? "" : styles["copy"]} onClick={ask}>
        {again ? <PhoneForwarded size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
        {label}
      </Button>
    );
  }
  return (
    <div className={styles["copyQuestion"]} ref={question} tabIndex={-1} role="group" aria-label={label}>
      <p>{asks === "sending" ? t.isSending : t.isBegun}</p>
      <div className={styles["links"]}>
        {asks === "plan" && <Button onClick={copy}>{t.replace}</Button>}
        <Button onClick={openForm}>{t.openIt}</Button>
        <Button kind="quiet" onClick={() => setAsks(null)}>
          {t.cancel}
        </Button>
      </div>
    </div>
  );
}
