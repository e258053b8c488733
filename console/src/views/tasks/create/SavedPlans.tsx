// Plans that were saved for later: the list above the form, and the button that saves the present one below it.
import { useId, useState } from "react";
import { useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Confirm } from "../../../ui/Confirm.tsx";
import { Time } from "../../../ui/Time.tsx";
import type { Fields } from "./draft.ts";
import { isUnsaved, type SavedPlan } from "./savedPlans.ts";
import { texts } from "./texts/texts.ts";
import type { SavedPlans } from "./useSavedPlans.ts";
import styles from "./create.module.css";

/** It asks before a saved plan takes the place of `fields` that are not saved. */
export function SavedPlanList({
  fields,
  plans: { plans, openId, open, remove },
}: {
  fields: Fields;
  plans: SavedPlans;
}) {
  const t = useTexts(texts).plans;
  const id = useId();
  const [asksFor, setAsksFor] = useState<SavedPlan | null>(null);
  const go = (plan: SavedPlan) => (isUnsaved(fields, plans) ? setAsksFor(plan) : open(plan));
  if (plans.length === 0) return null;
  return (
    <section className={styles["plans"]} aria-labelledby={id}>
      <h2 id={id}>{t.title}</h2>
      <ul>
        {plans.map((plan) => {
          const name = plan.fields.name.trim() || t.unnamed;
          return (
            <li key={plan.id} aria-current={plan.id === openId || undefined}>
              <span className={styles["planName"]}>{name}</span>
              <Time value={plan.savedAt} />
              <Button kind="quiet" aria-label={t.openNamed(name)} onClick={() => go(plan)}>
                {t.open}
              </Button>
              <Button kind="quiet" aria-label={t.removeNamed(name)} onClick={() => remove(plan.id)}>
                {t.remove}
              </Button>
            </li>
          );
        })}
      </ul>
      <Confirm
        isOpen={asksFor !== null}
        title={t.replaces}
        confirmText={t.replace}
        cancelText={t.cancel}
        isBusy={false}
        onConfirm={() => {
          if (asksFor) open(asksFor);
          setAsksFor(null);
        }}
        onClose={() => setAsksFor(null)}
      >
        {t.replacesHint}
      </Confirm>
    </section>
  );
}

export function SavePlan({ fields, plans: { told, save } }: { fields: Fields; plans: SavedPlans }) {
  const t = useTexts(texts).plans;
  const id = useId();
  return (
    <section className={styles["section"]}>
      <div className={styles["save"]}>
        <Button onClick={() => save(fields)} aria-describedby={id}>
          {t.save}
        </Button>
        <span role="status">{told && t[told]}</span>
      </div>
      <p id={id} className={styles["hint"]}>
        {t.hint}
      </p>
    </section>
  );
}
