import { CircleCheck, Download, TriangleAlert } from "lucide-react";
import type { TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import type { RowProblem } from "./checkTable.ts";
import { faultyRowsText, saveFaultyRows } from "./faultyRows.ts";
import type { TableWords } from "./tableWords.ts";
import { texts } from "./texts/texts.ts";
import type { NumberCheck } from "./useNumberCheck.ts";
import styles from "./create.module.css";

/** More rows would not be read by anybody, and the file has all. */
const SHOWN = 100;

/** How many people will be phoned, and each row that is left out, with why. */
export function Problems(props: { check: NumberCheck; shape: TableShape; words: TableWords | undefined }) {
  const { check, shape, words } = props;
  const { format } = useLocale();
  const t = { ...useTexts(texts), ...words };
  const whyOf = useWhy(words);
  const { problems = [], problemCount = 0 } = check.done ?? {};
  const shown = problems.slice(0, SHOWN);
  const rowsAbove = shape.sample.filter(({ row }) => row < shape.headRow).length;

  function save(): void {
    const text = faultyRowsText(shape, problems, { row: t.row, why: t.why, column: t.column, whyOf });
    void saveFaultyRows(t.faultyFile, text);
  }
  return (
    <>
      {rowsAbove > 0 && <p className={styles["hint"]}>{t.aboveHead(format.number(rowsAbove))}</p>}
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
        <>
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
                    <td className="number">{problem.text.slice(0, 80)}</td>
                    <td>{whyOf(problem)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {problems.length > shown.length && (
              <p className={styles["hint"]}>{t.moreProblems(format.number(problems.length - shown.length))}</p>
            )}
          </div>
          <div>
            <Button onClick={save}>
              <Download size={14} aria-hidden="true" />
              {t.saveFaulty}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function useWhy(words: TableWords | undefined): (problem: RowProblem) => string {
  const { format } = useLocale();
  const t = { ...useTexts(texts), ...words };
  return ({ problem, first, lines }) => {
    if (problem === "duplicate") return t.duplicate(format.number(first ?? 0));
    if (problem === "digits" && words?.tooFewDigits) return words.tooFewDigits;
    if (problem === "openQuote" && lines > 1) return t.openQuote(format.number(lines - 1));
    if (problem === "quotes" || problem === "openQuote" || problem === "swallowed")
      return t.problem[lines > 1 ? "swallowed" : "quotes"];
    return problem in t.problem ? t.problem[problem as keyof typeof t.problem] : t.problem.noNumber;
  };
}
