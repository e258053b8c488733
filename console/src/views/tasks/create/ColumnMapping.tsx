import type { ColumnName } from "../../../../../src/format/tables/tableColumns.ts";
import type { TableChoice, TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import { SERVICE_NAMES, serviceColumns } from "./serviceColumns.ts";
import { OPEN } from "./TableOptions.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

/** Which column of the table holds what, with what the first row has there. */
export function ColumnMapping(props: {
  shape: TableShape;
  choice: TableChoice;
  onChoice: (choice: TableChoice) => void;
}) {
  const { shape, choice, onChoice } = props;
  const t = useTexts(texts);
  const first = shape.sample.find(({ row }) => row > shape.headRow)?.cells ?? [];
  const label = (at: number) => shape.head[at] || t.column(String(at + 1));
  const asks = (name: ColumnName) => shape.questions.includes(name);
  return (
    <div className={styles["mapping"]}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.serviceColumn}</th>
            <th scope="col">{t.tableColumn}</th>
            <th scope="col">{t.example}</th>
          </tr>
        </thead>
        <tbody>
          {serviceColumns.map((name) => (
            <tr key={name}>
              <th scope="row">
                <span lang="zh-CN">{SERVICE_NAMES[name]}</span>
                <small>{t.columns[name]}</small>
              </th>
              <td>
                <select
                  aria-label={`${SERVICE_NAMES[name]}: ${t.tableColumn}`}
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
              </td>
              <td className={styles["sample"]}>{first[shape.columns[name]] ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
