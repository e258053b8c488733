// The list of a filter of which several may be chosen, open from the start. It may be long, so it has a search by name and ID.
import { Combobox } from "@base-ui/react/combobox";
import { Check } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import { ChipContent, type FilterListProps, type FilterOption } from "./FilterChip.tsx";
import styles from "./filter.module.css";

export function FilterSearchList(props: FilterListProps) {
  const { label, shown, isSet, isFull = false, isPartial = false, items, value, onChange, onOpen } = props;
  const { t } = useLocale();
  const chosen = items.filter((item) => value.includes(item.value));
  return (
    <Combobox.Root
      multiple
      defaultOpen
      items={items}
      value={chosen}
      isItemEqualToValue={(one, other) => one.value === other.value}
      filter={(item, query) => isFound(item, query)}
      onValueChange={(next) => onChange(next.map((item) => item.value))}
      onOpenChange={(open) => open && onOpen?.()}
    >
      <Combobox.Trigger className={styles["chip"]} data-set={isSet || undefined} aria-label={`${label}: ${shown}`}>
        <ChipContent label={label} shown={shown} />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} align="start" className={styles["above"]}>
          <Combobox.Popup className={styles["popup"]} aria-label={label}>
            <Combobox.Input className={styles["search"]} aria-label={t.live.search} placeholder={t.live.search} />
            {isPartial && <p className={styles["none"]}>{t.errors.notRead}</p>}
            <Combobox.Empty className={styles["none"]}>{!isPartial && t.live.nothingFound}</Combobox.Empty>
            <Combobox.List>
              {(item: FilterOption) => (
                <Combobox.Item
                  key={item.value}
                  value={item}
                  disabled={isFull && !value.includes(item.value)}
                  className={styles["item"]}
                >
                  {item.label}
                  <Combobox.ItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function isFound({ label, value }: FilterOption, query: string): boolean {
  const wanted = query.trim().toLocaleLowerCase();
  return label.toLocaleLowerCase().includes(wanted) || value.toLocaleLowerCase().includes(wanted);
}
