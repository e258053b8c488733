// The list of a filter of which one may be chosen, open from the start.
import { Select } from "@base-ui/react/select";
import { Check } from "lucide-react";
import { ChipContent, type FilterListProps } from "./FilterChip.tsx";
import styles from "./filter.module.css";

export function FilterList({ label, shown, isSet, items, value, onChange }: FilterListProps) {
  return (
    <Select.Root
      items={items}
      defaultOpen
      value={value[0] ?? null}
      onValueChange={(next) => onChange(next === null ? [] : [next])}
    >
      <Select.Trigger className={styles["chip"]} data-set={isSet || undefined} aria-label={`${label}: ${shown}`}>
        <ChipContent label={label} shown={shown} />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner sideOffset={4} alignItemWithTrigger={false} className={styles["above"]}>
          <Select.Popup className={styles["popup"]}>
            <Select.List>
              {items.map((item) => (
                <Select.Item key={item.value} value={item.value} className={styles["item"]}>
                  <Select.ItemText>{item.label}</Select.ItemText>
                  <Select.ItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
