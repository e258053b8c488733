// The first rows: as they will be sent, or, while that is unknown or nobody can be phoned, as they are read.
import type { TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { columnTitle, SERVICE_NAMES, serviceColumns } from "./serviceColumns.ts";
import type { TableWords } from "./tableWords.ts";
import { texts } from "./texts/texts.ts";
import type { NumberCheck } from "./useNumberCheck.ts";
import styles from "./create.module.css";

const SHOWN = 5;

export function FirstRows(props: { check: NumberCheck; shape: TableShape; words: TableWords | undefined }) {
  const { check, shape, words } = props;
  const t = { ...useTexts(texts), ...words };
  const { format } = useLocale();
  if (check.name === "done" && check.numbers.length > 0) {
    const columns = serviceColumns.filter((name) => name === "number" || shape.columns[name] !== -1);
    return (
      <Rows
        title={t.firstSent}
        wholeColumn={columns.indexOf("number")}
        head={columns.map((name) => words?.numberColumn ?? columnTitle(name, t.columnNames[name]))}
        rows={check.numbers.slice(0, SHOWN).map(({ number, extra }, at) => ({
          row: format.number(check.rows[at] ?? 0),
          cells: columns.map((name) => (name === "number" ? number : (extra?.[SERVICE_NAMES[name]] ?? ""))),
        }))}
      />
    );
  }
  if (check.name !== "done" && check.name !== "asked") return null;
  return (
    <Rows
      title={t.firstRead}
      head={Array.from({ length: Math.max(1, shape.width) }, (_, at) => t.column(String(at + 1)))}
      rows={shape.sample
        .slice(0, SHOWN)
        .map(({ row, cells }) => ({ row: format.number(row), cells: cells.slice(0, Math.max(1, shape.width)) }))}
    />
  );
}

function Rows(props: {
  title: string;
  head: string[];
  rows: { row: string; cells: readonly string[] }[];
  /** The column whose cells are not broken into lines. */
  wholeColumn?: number;
}) {
  const { title, head, rows, wholeColumn } = props;
  const t = useTexts(texts);
  return (
    <div className={styles["problems"]} role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t.row}</th>
            {head.map((text, at) => (
              <th scope="col" key={at}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, cells }) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {head.map((_, at) => (
                <td key={at} className={at === wholeColumn ? styles["whole"] : undefined}>
                  {cells[at] ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
