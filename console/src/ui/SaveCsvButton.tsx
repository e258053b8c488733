// Saves rows that the page has as a file of CSV, and says how that ended.
import { useEffect, useState } from "react";
import { saveCsv, type CsvRow } from "../data/csvFile.ts";
import { useLocale } from "../locale/Locale.tsx";
import { CsvButton } from "./CsvButton.tsx";
import styles from "./saveCsv.module.css";

const SHOWN_MS = 15_000;

/** `name`: begins the file's name. `table`: read when the button is pressed, the row of heads first. */
export function SaveCsvButton({ name, table }: { name: string; table: (() => readonly [CsvRow, ...CsvRow[]]) | null }) {
  const { t, format } = useLocale();
  const [words, setWords] = useState<{ text: string; isProblem: boolean } | null>(null);
  // Later it would seem to speak of other filters.
  useEffect(() => {
    if (!words || words.isProblem) return undefined;
    const timer = setTimeout(() => setWords(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [words]);
  async function save(): Promise<void> {
    if (!table) return;
    const [head, ...rows] = table();
    setWords(null);
    try {
      const file = await saveCsv(name, head, rows);
      if (file !== null) setWords({ text: t.csv.saved(format.number(rows.length), file), isProblem: false });
    } catch {
      setWords({ text: t.csv.notWritten, isProblem: true });
    }
  }
  return (
    <>
      {words && (
        <span className={styles["words"]} role={words.isProblem ? "alert" : "status"}>
          {words.text}
        </span>
      )}
      <CsvButton disabled={!table} onClick={() => void save()} />
    </>
  );
}
