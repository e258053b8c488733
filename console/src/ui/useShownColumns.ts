// Which columns a table shows: those that a user chose in this browser, and else those that are not optional.
import { useEffect, useMemo, useState } from "react";
import { keep, readKept } from "../locale/preferences.ts";
import type { Column } from "./columns.ts";

export interface ShownColumns<Row> {
  shown: readonly Column<Row>[];
  isShown: (id: string) => boolean;
  choose: (id: string, isShown: boolean) => void;
}

/** `name`: under which the choice is kept. The first column is always there. */
export function useShownColumns<Row>(name: string, columns: readonly Column<Row>[]): ShownColumns<Row> {
  const keptAs = `${name}-shown`;
  const [chosen, setChosen] = useState(() => readChosen(keptAs));
  useEffect(() => keep(keptAs, chosen), [keptAs, chosen]);
  return useMemo(() => {
    const isShown = (id: string): boolean => {
      const at = columns.findIndex((column) => column.id === id);
      return at === 0 || (chosen[id] ?? columns[at]?.isOptional !== true);
    };
    return {
      shown: columns.filter(({ id }) => isShown(id)),
      isShown,
      choose: (id, isShown) => setChosen((before) => ({ ...before, [id]: isShown })),
    };
  }, [columns, chosen]);
}

function readChosen(keptAs: string): Record<string, boolean> {
  const kept = Object.entries(readKept(keptAs) ?? {});
  return Object.fromEntries(kept.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));
}
