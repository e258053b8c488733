// The columns and the row height of a table, behind a button at the end of its head. The code of the menu is loaded when it is opened.
import { Settings2 } from "lucide-react";
import { useState } from "react";
import { useLocale } from "../../locale/Locale.tsx";
import { lazyPart } from "../lazyPart.tsx";
import type { TableMenuProps } from "./TableMenu.tsx";
import styles from "./tableOptions.module.css";

const TableMenu = lazyPart(() => import("./TableMenu.tsx"), "TableMenu");

export function TableOptions(props: Omit<TableMenuProps, "className" | "label">) {
  const { t } = useLocale();
  const [wasOpened, setOpened] = useState(false);
  const label = t.frame.tableOptions;
  const button = (
    <button
      type="button"
      className={styles["trigger"]}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={label}
      title={label}
      onPointerEnter={() => void TableMenu.preload()}
      onFocus={() => void TableMenu.preload()}
      onClick={() => setOpened(true)}
    >
      <Settings2 size={16} aria-hidden="true" />
    </button>
  );
  return wasOpened ? <TableMenu {...props} label={label} placeholder={button} /> : button;
}
