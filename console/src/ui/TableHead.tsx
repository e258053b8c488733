import type { ReactTable } from "@tanstack/react-table";
import type { KeyboardEvent } from "react";
import type { Column, TableFeaturesUsed } from "./columns.ts";
import styles from "./table.module.css";

const STEP = 16;

export function TableHead<Row, Shown extends object>(props: {
  table: ReactTable<TableFeaturesUsed, Shown>;
  columns: readonly Column<Row>[];
  grid: { gridTemplateColumns: string };
  resizeLabel: (title: string) => string;
}) {
  const { table, columns, grid, resizeLabel } = props;
  const [group] = table.getHeaderGroups();

  function resize(event: KeyboardEvent, id: string, width: number): void {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    table.setColumnSizing((before) => ({ ...before, [id]: Math.max(64, width + by) }));
  }
  return (
    <div role="rowgroup" className={styles["head"]}>
      <div role="row" aria-rowindex={1} className={styles["headRow"]} style={grid}>
        {group?.headers.map((header, at) => {
          const column = columns[at];
          if (!column) return null;
          const { id, title, align } = column;
          const resizer = header.getResizeHandler();
          return (
            <div key={id} role="columnheader" data-align={align} className={styles["headCell"]}>
              <span>{title}</span>
              <span
                role="separator"
                aria-orientation="vertical"
                aria-label={resizeLabel(title)}
                aria-valuenow={header.getSize()}
                aria-valuemin={64}
                aria-valuemax={1000}
                tabIndex={0}
                className={styles["resizer"]}
                data-active={header.column.getIsResizing() || undefined}
                onMouseDown={resizer}
                onTouchStart={resizer}
                onKeyDown={(event) => resize(event, id, header.getSize())}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
