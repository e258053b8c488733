// A table of any length: only the rows in sight are in the page. Columns keep the widths that a user gave them.
import { createColumnHelper, useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { useShortcuts } from "../frame/useShortcuts.ts";
import { useLocale } from "../locale/Locale.tsx";
import { keep, readKept } from "../locale/preferences.ts";
import { features, type Column, type TableFeaturesUsed } from "./columns.ts";
import { DataRow } from "./DataRow.tsx";
import type { ListKind } from "./drawer/ListPlace.tsx";
import { TableHead } from "./TableHead.tsx";
import { useMedia } from "./useMedia.ts";
import { TableOptions } from "./tableOptions/TableOptions.tsx";
import { RowStopContext } from "./rowStop.ts";
import { useOpenRow } from "./useOpenRow.ts";
import { useRowFocus } from "./useRowFocus.ts";
import { useShownColumns } from "./useShownColumns.ts";
import styles from "./table.module.css";

export interface DataTableProps<Row> {
  /** For screen readers. */
  label: string;
  /** Under which the widths and the choice of columns are kept. */
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

const ROW_HEIGHTS = { compact: 36, roomy: 44 };
const NARROW_ROW_HEIGHT = 60;
const MIN_WIDTH = 64;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, name, kind, columns: all, rows, keyOf, narrow, note, stateOf, onOpen, onScrolled } = props;
  const element = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia("(max-width: 639px)");
  const { preferences } = useLocale();
  const { shown: columns, isShown, choose } = useShownColumns(name, all);
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHTS[preferences.density];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(rows[index] as Row),
    overscan: 6,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const isRecord = (row: Row) => (note?.(row) ?? null) === null;
  const focus = useRowFocus({ rows, keyOf, element, show: (index) => virtual.scrollToIndex(index) });
  const place = useOpenRow({
    kind,
    rows,
    keyOf,
    onOpen,
    follow: focus.follow,
    linkOf: focus.linkOf,
    isOpen: (row) => stateOf?.(row).isSelected === true,
    canOpen: (row) => isRecord(row) && props.canOpen?.(row) !== false,
  });
  // The rows of open details are gone through together with the details.
  useShortcuts({
    j: () => (place ? place.openNext?.() : focus.move(1)),
    k: () => (place ? place.openPrevious?.() : focus.move(-1)),
  });

  const items = virtual.getVirtualItems();
  // The row that had the focus last, or the first one in sight.
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const scrolled = virtual.scrollOffset ?? 0;
  const stop =
    items.find(({ key }) => key === focusedKey) ??
    items.find(({ index, start }) => start >= scrolled && isRecord(rows[index] as Row));
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
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    focus.move(step);
  }
  return (
    <div className={styles["holder"]}>
      {!isNarrow && <TableOptions columns={all.slice(1)} isShown={isShown} choose={choose} />}
      <div
        ref={element}
        className={styles["scroller"]}
        onScroll={({ currentTarget }) => onScrolled?.(currentTarget.scrollTop > 4)}
        onKeyDown={press}
        role="region"
        aria-label={label}
        data-rows
      >
        <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={styles["table"]}>
          {!isNarrow && <TableHead table={table} columns={columns} grid={grid} resizeLabel={props.resizeLabel} />}
          <div role="rowgroup" className={styles["body"]} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, key, start }) => {
              const row = rows[index] as Row;
              return (
                <RowStopContext key={key} value={key === stop?.key}>
                  <DataRow
                    row={row}
                    rowKey={keyOf(row)}
                    index={index + 2}
                    note={note?.(row) ?? null}
                    state={stateOf?.(row)}
                    style={{ transform: `translateY(${start}px)`, height: rowHeight, ...grid }}
                    columns={isNarrow ? null : columns}
                    narrow={narrow}
                    onFocus={setFocusedKey}
                    onOpen={onOpen}
                  />
                </RowStopContext>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}
