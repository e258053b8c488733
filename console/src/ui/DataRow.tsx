import type { CSSProperties, ReactNode } from "react";
import type { Column } from "./columns.ts";
import styles from "./table.module.css";

export function DataRow<Row>(props: {
  row: Row;
  rowKey: string;
  /** From 1 on, with the head. */
  index: number;
  /** What a row says that is no record. Null for records. */
  note: string | null;
  state: { isSelected: boolean; isFresh: boolean } | undefined;
  style: CSSProperties;
  /** Null: there is no room for them. */
  columns: readonly Column<Row>[] | null;
  narrow: (row: Row) => ReactNode;
  onFocus: (key: string) => void;
  onOpen: (row: Row) => void;
}) {
  const { row, rowKey, index, note, state, style, columns, narrow, onFocus, onOpen } = props;
  if (note !== null) {
    return (
      <div role="row" aria-rowindex={index} className={styles["note"]} style={style}>
        <span role="cell">{note}</span>
      </div>
    );
  }
  return (
    <div
      role="row"
      aria-rowindex={index}
      className={styles["row"]}
      data-key={rowKey}
      data-selected={state?.isSelected || undefined}
      data-fresh={state?.isFresh || undefined}
      style={style}
      onFocus={() => onFocus(rowKey)}
      onClick={(event) => !event.defaultPrevented && !isSelecting() && onOpen(row)}
    >
      {columns === null ? (
        <div role="cell">{narrow(row)}</div>
      ) : (
        columns.map(({ id, align, cell }) => (
          <div key={id} role="cell" data-align={align} className={styles["cell"]}>
            {textCell(cell(row))}
          </div>
        ))
      )}
    </div>
  );
}

/** A text ends with an ellipsis where the column is too narrow. */
const textCell = (content: ReactNode): ReactNode =>
  typeof content === "string" ? (
    <span className={styles["text"]} title={content}>
      {content}
    </span>
  ) : (
    content
  );

/** A user marks text in a row. */
const isSelecting = (): boolean => getSelection()?.isCollapsed === false;
