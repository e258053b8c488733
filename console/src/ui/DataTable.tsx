// A table of any length: only the rows in sight are in the page. Columns keep the widths that a user gave them.
import { createColumnHelper, useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { useShortcuts } from "../frame/useShortcuts.ts";
import { keep, readKept } from "../locale/preferences.ts";
import { features, type Column, type TableFeaturesUsed } from "./columns.ts";
import type { ListKind } from "./drawer/ListPlace.tsx";
import { TableHead } from "./TableHead.tsx";
import { useMedia } from "./useMedia.ts";
import { useOpenRow } from "./useOpenRow.ts";
import { useRowFocus } from "./useRowFocus.ts";
import styles from "./table.module.css";

export interface DataTableProps<Row> {
  /** For screen readers. */
  label: string;
  /** Under which the widths are kept. */
  name: string;
  /** What a row opens. */
  kind: ListKind;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The row as two lines, where there is no room for columns. */
  narrow: (row: Row) => ReactNode;
  /** A row that is no record, such as a gap: it spans the table. Null for records. */
  note?: (row: Row) => string | null;
  stateOf?: (row: Row) => { isSelected: boolean; isFresh: boolean };
  /** Rows that are no records open nothing either. Default: all others do. */
  canOpen?: (row: Row) => boolean;
  onOpen: (row: Row) => void;
  onScrolled?: (isScrolled: boolean) => void;
  scroller?: Ref<HTMLDivElement>;
  resizeLabel: (title: string) => string;
}

/** The table library knows the columns and their widths. It would draw each cell anew for other columns, and take the focus with it. */
const NO_ROWS: object[] = [];
const helper = createColumnHelper<TableFeaturesUsed, object>();

const ROW_HEIGHT = 36;
const NARROW_ROW_HEIGHT = 60;
const MIN_WIDTH = 64;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, name, kind, columns, rows, keyOf, narrow, note, stateOf, onOpen, onScrolled } = props;
  const element = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia("(max-width: 639px)");
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(rows[index] as Row),
    overscan: 6,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const focus = useRowFocus({ rows, keyOf, element, show: (index) => virtual.scrollToIndex(index) });
  const place = useOpenRow({
    kind,
    rows,
    keyOf,
    onOpen,
    follow: focus.follow,
    linkOf: focus.linkOf,
    isOpen: (row) => stateOf?.(row).isSelected === true,
    canOpen: (row) => (note?.(row) ?? null) === null && props.canOpen?.(row) !== false,
  });
  // The rows of open details are gone through together with the details.
  useShortcuts({
    j: () => (place ? place.openNext?.() : focus.move(1)),
    k: () => (place ? place.openPrevious?.() : focus.move(-1)),
  });

  const items = virtual.getVirtualItems();
  const definitions = useMemo(
    () =>
      helper.columns(
        columns.map(({ id, title, width }) => helper.display({ id, header: title, size: width, minSize: MIN_WIDTH })),
      ),
    [columns],
  );
  const [columnSizing, setColumnSizing] = useState(() => (readKept(`${name}-columns`) ?? {}) as Record<string, number>);
  useEffect(() => keep(`${name}-columns`, columnSizing), [name, columnSizing]);
  const table = useTable({
    features,
    columns: definitions,
    data: NO_ROWS,
    columnResizeMode: "onChange",
    state: { columnSizing },
    onColumnSizingChange: setColumnSizing,
  });

  const widths = columns.map(({ id, width, grows }) => {
    const chosen = columnSizing[id];
    return grows && chosen === undefined ? `minmax(${width}px, 1fr)` : `${chosen ?? width}px`;
  });
  const grid = { gridTemplateColumns: isNarrow ? "minmax(0, 1fr)" : widths.join(" ") };

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    focus.move(step);
  }
  return (
    <div
      ref={element}
      className={styles["scroller"]}
      onScroll={({ currentTarget }) => onScrolled?.(currentTarget.scrollTop > 4)}
      onKeyDown={press}
      role="region"
      aria-label={label}
      tabIndex={0}
      data-rows
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={styles["table"]}>
        {!isNarrow && <TableHead table={table} columns={columns} grid={grid} resizeLabel={props.resizeLabel} />}
        <div role="rowgroup" className={styles["body"]} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const row = rows[index] as Row;
            const state = stateOf?.(row);
            const text = note?.(row) ?? null;
            const place = { transform: `translateY(${start}px)`, height: rowHeight };
            if (text !== null) {
              return (
                <div key={key} role="row" aria-rowindex={index + 2} className={styles["note"]} style={place}>
                  <span role="cell">{text}</span>
                </div>
              );
            }
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={styles["row"]}
                data-key={keyOf(row)}
                data-selected={state?.isSelected || undefined}
                data-fresh={state?.isFresh || undefined}
                style={{ ...place, ...grid }}
                onClick={(event) => !event.defaultPrevented && !isSelecting() && onOpen(row)}
              >
                {isNarrow ? (
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
          })}
        </div>
      </div>
    </div>
  );
}

/** A text ends with an ellipsis where the column is too narrow. */
const textCell = (content: ReactNode): ReactNode =>
  typeof content === "string" ? <span className={styles["text"]}>{content}</span> : content;

/** A user marks text in a row. */
const isSelecting = (): boolean => getSelection()?.isCollapsed === false;
