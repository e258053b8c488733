// The people of a task who are called again, in the place of a table: how many, and why the others are left out.
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { LeftOut } from "../LeftOut.tsx";
import type { TaskCheck } from "../plan/useTaskCheck.ts";
import type { AgainSource } from "./draft.ts";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

export function AgainSection(props: {
  source: AgainSource;
  /** Null: the gateway was not asked yet. */
  check: TaskCheck | null;
  onTable: () => void;
}) {
  const { source, check, onTable } = props;
  const { format } = useLocale();
  const t = useTexts(texts);
  return (
    <section className={styles["section"]}>
      <h2>{t.people}</h2>
      <p>{t.again.from(source.name)}</p>
      <div role="status" className={styles["again"]}>
        {check?.calledAgainFrom && <p>{t.again.called(format.number(check.people ?? 0))}</p>}
        {check?.calledAgainFrom && <LeftOut of={check.calledAgainFrom} />}
      </div>
      <div>
        <Button onClick={onTable}>{t.again.useTable}</Button>
      </div>
    </section>
  );
}
