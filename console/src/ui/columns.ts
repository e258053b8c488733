// A column of a table, and the features of the table library that the console uses.
import { columnResizingFeature, columnSizingFeature, tableFeatures } from "@tanstack/react-table";
import type { ReactNode } from "react";

export interface Column<Row> {
  id: string;
  title: string;
  /** In px. */
  width: number;
  /** Takes the room that is left. */
  grows?: boolean;
  align?: "end";
  /** Shown only where a user chooses it. */
  isOptional?: boolean;
  /** The first column of a row holds its link. */
  cell: (row: Row) => ReactNode;
}

export const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
export type TableFeaturesUsed = typeof features;
