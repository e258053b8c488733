import { CircleCheck, TriangleAlert } from "lucide-react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import type { RowProblem } from "./checkTable.ts";
import { texts } from "./texts/texts.ts";
import type { NumberCheck } from "./useNumberCheck.ts";
import styles from "./create.module.css";

/** More rows would not be read by anybody, and the file says the rest. */
const SHOWN = 100;

/** How many people will be phoned, and each row that is left out, with why. */
export function Problems({ check }: { check: NumberCheck }) {
  const { format } = useLocale();
  const t = useTexts(texts);
  const { problems = [], problemCount = 0 } = check.done ?? {};
  const shown = problems.slice(0, SHOWN);
  return (
    <>
      <p className={styles["result"]} role="status" data-clean={problemCount === 0 || undefined}>
        {problemCount === 0 ? (
          <CircleCheck size={16} aria-hidden="true" />
        ) : (
          <TriangleAlert size={16} aria-hidden="true" />
        )}
        <span>
          {t.good(format.number(check.numbers.length))}
          {problemCount > 0 && ` ${t.leftOut(format.number(problemCount))}`}
        </span>
      </p>
      {problemCount > 0 && (
        <div className={styles["problems"]} role="region" aria-label={t.problems} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.row}</th>
                <th scope="col">{t.cell}</th>
                <th scope="col">{t.why}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((problem) => (
                <tr key={problem.row}>
                  <th scope="row">{format.number(problem.row)}</th>
                  <td className="number">{problem.text}</td>
                  <td>
                    <Why problem={problem} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {problemCount > shown.length && (
            <p className={styles["hint"]}>{t.moreProblems(format.number(problemCount - shown.length))}</p>
          )}
        </div>
      )}
    </>
  );
}

function Why({ problem: { problem, first } }: { problem: RowProblem }) {
  const { format } = useLocale();
  const t = useTexts(texts);
  return <>{problem === "duplicate" ? t.duplicate(format.number(first ?? 0)) : t.problem[problem]}</>;
}
