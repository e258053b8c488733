// The people to phone: a table that is pasted or uploaded, which column holds what, and the rows that are left out.
import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import {
  decodeTable,
  foreignWords,
  isAskedFor,
  type DecodedTable,
  type TableEncoding,
} from "../../../../../src/format/tables/decodeTable.ts";
import type { ColumnName } from "../../../../../src/format/tables/tableColumns.ts";
import type { TableChoice } from "../../../../../src/format/tables/tableShape.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { ColumnMapping } from "./ColumnMapping.tsx";
import { FirstRows } from "./FirstRows.tsx";
import { FormField } from "./FormField.tsx";
import { Problems } from "./Problems.tsx";
import { serviceColumns } from "./serviceColumns.ts";
import { TableOptions } from "./TableOptions.tsx";
import type { TableWords } from "./tableWords.ts";
import { texts } from "./texts/texts.ts";
import type { NumberCheck } from "./useNumberCheck.ts";
import styles from "./create.module.css";

/** A longer text is shown by its size: a field with megabytes makes a page slow. */
const SHOWN_CHARACTERS = 200_000;
const MOST_BYTES = 64 * 1024 * 1024;

export function PeopleSection(props: {
  text: string;
  isKept: boolean;
  onText: (text: string) => void;
  choice: TableChoice;
  onChoice: (choice: TableChoice) => void;
  check: NumberCheck;
  error: string | null;
  /** The columns that are read. */
  columns?: readonly ColumnName[];
  words?: TableWords;
}) {
  const { text, isKept, onText, choice, onChoice, check, error, columns = serviceColumns, words } = props;
  const { format } = useLocale();
  const t = { ...useTexts(texts), ...words };
  const picker = useRef<HTMLInputElement>(null);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  /** The file whose text is shown. Its encoding may be chosen while it is there. */
  const [uploaded, setUploaded] = useState<{ bytes: Uint8Array; table: DecodedTable } | null>(null);
  /** A file whose encoding is asked: nothing of it is in the form yet. */
  const [asked, setAsked] = useState<{ bytes: Uint8Array; fitting: readonly TableEncoding[] } | null>(null);
  const isLong = text.length > SHOWN_CHARACTERS;

  async function read(file: File | undefined): Promise<void> {
    if (!file) return;
    if (file.size > MOST_BYTES) return setFileProblem(t.fileTooLarge);
    try {
      decode(new Uint8Array(await file.arrayBuffer()), null);
    } catch {
      setFileProblem(t.fileFailed);
    }
  }
  function decode(bytes: Uint8Array, encoding: TableEncoding | null): void {
    const table = decodeTable(bytes, encoding);
    setFileProblem(typeof table === "string" ? t.noTable[table] : null);
    setAsked(null);
    if (typeof table === "string") return;
    if (isAskedFor(table)) {
      onText("");
      return setAsked({ bytes, fitting: [table.encoding, ...table.others] });
    }
    onText(table.text);
    setUploaded({ bytes, table });
  }
  const { shape } = check;
  return (
    <section className={styles["section"]}>
      <h2>{t.people}</h2>
      <FormField label={t.paste} hint={t.pasteHint} error={error ?? fileProblem}>
        {(ids) =>
          isLong ? (
            <div className={styles["long"]}>
              <span id={ids.id}>{t.longText(format.number(text.length))}</span>
              <Button onClick={() => onText("")}>{t.removeText}</Button>
            </div>
          ) : (
            <textarea
              {...ids}
              rows={6}
              spellCheck={false}
              autoComplete="off"
              placeholder={t.pasteExample}
              value={text}
              onChange={({ target }) => onText(target.value)}
            />
          )
        }
      </FormField>
      <div>
        <Button onClick={() => picker.current?.click()}>
          <Upload size={14} aria-hidden="true" />
          {t.upload}
        </Button>
        <input
          ref={picker}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          className={styles["picker"]}
          aria-label={t.upload}
          tabIndex={-1}
          onChange={({ target }) => {
            void read(target.files?.[0]);
            target.value = "";
          }}
        />
      </div>
      {asked && (
        <fieldset className={styles["askedEncoding"]}>
          <legend>{t.askEncoding}</legend>
          {asked.fitting.map((encoding) => (
            <Button key={encoding} onClick={() => decode(asked.bytes, encoding)}>
              {wordsIn(asked.bytes, encoding)} · {t.encodings[encoding]}
            </Button>
          ))}
        </fieldset>
      )}
      {!isKept && <p className={styles["hint"]}>{t.notKept}</p>}
      {shape && check.name !== "empty" && (
        <>
          <TableOptions
            shape={shape}
            choice={choice}
            onChoice={onChoice}
            words={words}
            file={
              uploaded?.table.text === text
                ? { ...uploaded.table, onEncoding: (encoding) => decode(uploaded.bytes, encoding) }
                : null
            }
          />
          {!shape.questions.includes("separator") && (
            <ColumnMapping shape={shape} columns={columns} words={words} choice={choice} onChoice={onChoice} />
          )}
        </>
      )}
      <CheckProgress check={check} />
      {shape && <FirstRows check={check} shape={shape} words={words} />}
      {shape && check.name === "done" && <Problems check={check} shape={shape} words={words} />}
    </section>
  );
}

function wordsIn(bytes: Uint8Array, encoding: TableEncoding): string {
  const table = decodeTable(bytes, encoding);
  return typeof table === "string" ? "" : foreignWords(table.text).join(" · ");
}

function CheckProgress({ check }: { check: NumberCheck }) {
  const { format } = useLocale();
  const t = useTexts(texts);
  if (check.name === "cancelled" || check.name === "failed") {
    return (
      <div className={styles["progress"]} role="status">
        <span>{check.name === "failed" ? t.checkFailed : t.checkCancelled}</span>
        <Button onClick={check.again}>{t.checkAgain}</Button>
      </div>
    );
  }
  if (check.name !== "checking") return null;
  return (
    <div className={styles["progress"]}>
      <progress value={check.share} max={1} aria-label={t.checking} />
      <span role="status">{t.checking}</span>
      <span aria-hidden="true">{format.percent(check.share)}</span>
      <Button onClick={check.cancel}>{t.cancel}</Button>
    </div>
  );
}
