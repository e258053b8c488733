import { Menu } from "@base-ui/react/menu";
import { ChevronDown, Download } from "lucide-react";
import filterStyles from "../../../ui/filter.module.css";
import { useCallsTexts } from "../callsTexts.ts";
import type { ExportKind } from "./exportRows.ts";
import styles from "./export.module.css";

export function ExportButton(props: { isDisabled: boolean; onChoose: (kind: ExportKind) => void }) {
  const { isDisabled, onChoose } = props;
  const t = useCallsTexts();
  const kinds: readonly [ExportKind, string, string][] = [
    ["csv", t.csv, t.csvHint],
    ["jsonl", t.jsonLines, t.jsonLinesHint],
  ];
  return (
    <Menu.Root>
      <Menu.Trigger className={styles["trigger"]} disabled={isDisabled} aria-label={t.export}>
        <Download size={14} aria-hidden="true" />
        <span>{t.export}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className={filterStyles["above"]}>
          <Menu.Popup className={filterStyles["popup"]}>
            {kinds.map(([kind, name, hint]) => (
              <Menu.Item key={kind} className={styles["kind"]} onClick={() => onChoose(kind)}>
                {name}
                <span>{hint}</span>
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
