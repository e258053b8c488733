import { useTexts } from "../../../locale/Locale.tsx";
import type { TableChoice, TableShape } from "./checkTable.ts";
import { columnNames, type ColumnName } from "./columns.ts";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

/** The columns as the service names them. */
const SERVICE_NAMES: Record<ColumnName, string> = {
  number: "号码",
  name: "姓名",
  gender: "性别",
  salesPersonName: "销售姓名",
};

/** Which column of the table holds what, with what the first row has there. */
export function ColumnMapping(props: {
  shape: TableShape;
  choice: TableChoice;
  onChoice: (choice: TableChoice) => void;
}) {
  const { shape, choice, onChoice } = props;
  const t = useTexts(texts);
  const [first = []] = shape.sample;
  const label = (at: number) => (shape.hasHead && shape.names[at] ? shape.names[at] : t.column(String(at + 1)));
  return (
    <div className={styles["mapping"]}>
      <label className={styles["check"]}>
        <input
          type="checkbox"
          checked={shape.hasHead}
          onChange={({ target }) => onChoice({ hasHead: target.checked, columns: choice.columns ?? shape.columns })}
        />
        {t.hasHead}
      </label>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.serviceColumn}</th>
            <th scope="col">{t.tableColumn}</th>
            <th scope="col">{t.example}</th>
          </tr>
        </thead>
        <tbody>
          {columnNames.map((name) => (
            <tr key={name}>
              <th scope="row">
                <span lang="zh-CN">{SERVICE_NAMES[name]}</span>
                <small>{t.columns[name]}</small>
              </th>
              <td>
                <select
                  aria-label={`${SERVICE_NAMES[name]}: ${t.tableColumn}`}
                  value={shape.columns[name]}
                  onChange={({ target }) =>
                    onChoice({
                      hasHead: shape.hasHead,
                      columns: { ...shape.columns, [name]: Number(target.value) },
                    })
                  }
                >
                  {name !== "number" && <option value={-1}>{t.noColumn}</option>}
                  {shape.names.map((_, at) => (
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
