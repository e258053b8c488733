import type { ColumnName } from "../../../../../src/format/tables/tableColumns.ts";
import type { TableChoice, TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import { columnTitle } from "./serviceColumns.ts";
import { OPEN } from "./TableOptions.tsx";
import type { TableWords } from "./tableWords.ts";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

/** The rows whose cells stand beside a column. */
const SHOWN_ROWS = 3;
const SHOWN_CHARACTERS = 24;

/** Which column of the table holds what. The cells of its first rows stand beside each column, in the list, too. */
export function ColumnMapping(props: {
  shape: TableShape;
  columns: readonly ColumnName[];
  words: TableWords | undefined;
  choice: TableChoice;
  onChoice: (choice: TableChoice) => void;
}) {
  const { shape, columns, words, choice, onChoice } = props;
  const t = { ...useTexts(texts), ...words };
  const rows = shape.sample.filter(({ row }) => row > shape.headRow).slice(0, SHOWN_ROWS);
  const cellsOf = (at: number) => rows.map(({ cells }) => (cells[at] ?? "").trim()).filter((cell) => cell !== "");
  const label = (at: number) => {
    const cells = cellsOf(at).map((cell) => cell.slice(0, SHOWN_CHARACTERS));
    return [shape.head[at] || t.column(String(at + 1)), ...(cells.length > 0 ? [cells.join(" · ")] : [])].join(": ");
  };
  const title = (name: ColumnName) => columnTitle(name, t.columnNames[name]);
  const asks = (name: ColumnName) => shape.questions.includes(name);
  return (
    <div className={styles["mapping"]}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.serviceColumn}</th>
            <th scope="col">{t.tableColumn}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((name) => (
            <tr key={name}>
              <th scope="row">
                {words?.numberColumn ?? (
                  <>
                    <span>{title(name)}</span>
                    <small>{t.columns[name]}</small>
                  </>
                )}
              </th>
              <td>
                <select
                  aria-label={`${words?.numberColumn ?? title(name)}: ${t.tableColumn}`}
                  aria-invalid={asks(name)}
                  value={asks(name) ? OPEN : shape.columns[name]}
                  onChange={({ target }) =>
                    onChoice({ ...choice, columns: { ...choice.columns, [name]: Number(target.value) } })
                  }
                >
                  {asks(name) && <option value={OPEN}>{t.askColumn}</option>}
                  {name !== "number" && <option value={-1}>{t.noColumn}</option>}
                  {Array.from({ length: Math.max(1, shape.width) }, (_, at) => (
                    <option key={at} value={at}>
                      {label(at)}
                    </option>
                  ))}
                </select>
                {!asks(name) && <p className={styles["sample"]}>{cellsOf(shape.columns[name]).join(" · ")}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
