// How the table is read: its encoding, what separates its cells, and which row names the columns. Each can be changed.
import type { TableEncoding } from "../../../../../src/format/tables/decodeTable.ts";
import { separators, type Separator } from "../../../../../src/format/tables/tableRows.ts";
import type { TableChoice, TableShape } from "../../../../../src/format/tables/tableShape.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import { NO_CHOICE } from "./draft.ts";
import { FormField } from "./FormField.tsx";
import type { TableWords } from "./tableWords.ts";
import { texts } from "./texts/texts.ts";
import styles from "./create.module.css";

const SEPARATORS: readonly Separator[] = [...separators, ""];
/** Rows that may be chosen as the head. */
const HEAD_ROWS = 8;

/** A choice that has to be made first has this value. */
export const OPEN = "?";

export interface FileEncoding {
  encoding: TableEncoding;
  isSure: boolean;
  others: readonly TableEncoding[];
  onEncoding: (encoding: TableEncoding) => void;
}

export function TableOptions(props: {
  shape: TableShape;
  choice: TableChoice;
  onChoice: (choice: TableChoice) => void;
  words?: TableWords | undefined;
  /** Null: the text was pasted. */
  file: FileEncoding | null;
}) {
  const { shape, choice, onChoice, words, file } = props;
  const t = { ...useTexts(texts), ...words };
  const { headRow, separator, questions } = shape;
  const hintOf = ({ isSure, others }: FileEncoding) => {
    if (isSure) return null;
    return others.length === 0 ? t.encodingHint : t.encodingOthers(others.map((each) => t.encodings[each]).join(", "));
  };
  const asks = (question: "separator" | "headRow") => questions.includes(question);
  const rows = shape.sample.filter(({ row }, at) => at < HEAD_ROWS || row === headRow);
  return (
    <div className={styles["options"]}>
      <FormField label={t.separator} error={asks("separator") ? t.askSeparator : null}>
        {(ids) => (
          <select
            {...ids}
            value={asks("separator") ? OPEN : separator}
            onChange={({ target }) => onChoice({ ...NO_CHOICE, separator: target.value as Separator })}
          >
            {asks("separator") && <option value={OPEN}>{t.chooseOne}</option>}
            {SEPARATORS.map((each) => (
              <option key={each} value={each}>
                {t.separators[each === "\t" ? "tab" : each === "" ? "none" : each]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <FormField label={t.headRow} error={asks("headRow") ? t.askHeadRow : null}>
        {(ids) => (
          <select
            {...ids}
            value={asks("headRow") ? OPEN : headRow}
            onChange={({ target }) => onChoice({ ...choice, headRow: Number(target.value), columns: {} })}
          >
            {asks("headRow") && <option value={OPEN}>{t.chooseOne}</option>}
            <option value={0}>{t.noHead}</option>
            {rows.map(({ row, cells }) => (
              <option key={row} value={row}>
                {t.headOption(String(row), cells.filter((cell) => cell !== "").join(" · "))}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {file && (
        <FormField label={t.encoding} hint={hintOf(file)}>
          {(ids) => (
            <select
              {...ids}
              value={file.encoding}
              onChange={({ target }) => file.onEncoding(target.value as TableEncoding)}
            >
              {Object.entries(t.encodings).map(([encoding, label]) => (
                <option key={encoding} value={encoding}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
    </div>
  );
}
