// The menu, open from the start.
import { Menu } from "@base-ui/react/menu";
import { Check, Settings2 } from "lucide-react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { densities, type Density } from "../../locale/preferences.ts";
import filterStyles from "../filter.module.css";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./tableOptions.module.css";

export interface TableMenuProps {
  label: string;
  /** Those that can be hidden. */
  columns: readonly { id: string; title: string }[];
  isShown: (id: string) => boolean;
  choose: (id: string, isShown: boolean) => void;
}

export function TableMenu({ label, columns, isShown, choose: chooseColumn }: TableMenuProps) {
  const own = useTexts({ en, zh });
  const { preferences, choose } = useLocale();
  const check = <Check size={14} aria-hidden="true" />;
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={styles["trigger"]} aria-label={label} title={label}>
        <Settings2 size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className={filterStyles["above"]}>
          <Menu.Popup className={`${filterStyles["popup"]} ${styles["menu"]}`}>
            <Menu.Group>
              <Menu.GroupLabel className={styles["title"]}>{own.columns}</Menu.GroupLabel>
              {columns.map(({ id, title }) => (
                <Menu.CheckboxItem
                  key={id}
                  className={filterStyles["item"]}
                  checked={isShown(id)}
                  onCheckedChange={(isChecked) => chooseColumn(id, isChecked)}
                  closeOnClick={false}
                >
                  {title}
                  <Menu.CheckboxItemIndicator>{check}</Menu.CheckboxItemIndicator>
                </Menu.CheckboxItem>
              ))}
            </Menu.Group>
            <Menu.Group>
              <Menu.GroupLabel className={styles["title"]}>{own.density}</Menu.GroupLabel>
              <Menu.RadioGroup value={preferences.density} onValueChange={(density: Density) => choose({ density })}>
                {densities.map((density) => (
                  <Menu.RadioItem key={density} value={density} className={filterStyles["item"]} closeOnClick={false}>
                    {own[density]}
                    <Menu.RadioItemIndicator>{check}</Menu.RadioItemIndicator>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
