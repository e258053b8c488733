// The list of a filter, open from the start.
import { Select } from "@base-ui/react/select";
import { Check } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import { ChipContent, type FilterListProps, type FilterOption } from "./FilterChip.tsx";
import styles from "./filter.module.css";

export function FilterList(props: FilterListProps) {
  const {
    label,
    shown,
    isSet,
    isMultiple = false,
    isFull = false,
    isPartial = false,
    items,
    value,
    onChange,
    onOpen,
  } = props;
  const content = (
    <>
      <Select.Trigger className={styles["chip"]} data-set={isSet || undefined} aria-label={`${label}: ${shown}`}>
        <ChipContent label={label} shown={shown} />
      </Select.Trigger>
      <Options items={items} isPartial={isPartial} isDisabled={(each) => isFull && !value.includes(each)} />
    </>
  );
  const shared = { items, defaultOpen: true, onOpenChange: (open: boolean) => open && onOpen?.() };
  return isMultiple ? (
    <Select.Root {...shared} multiple value={[...value]} onValueChange={onChange}>
      {content}
    </Select.Root>
  ) : (
    <Select.Root {...shared} value={value[0] ?? null} onValueChange={(next) => onChange(next === null ? [] : [next])}>
      {content}
    </Select.Root>
  );
}

function Options(props: {
  items: readonly FilterOption[];
  isPartial: boolean;
  isDisabled: (value: string) => boolean;
}) {
  const { items, isPartial, isDisabled } = props;
  const { t } = useLocale();
  return (
    <Select.Portal>
      <Select.Positioner sideOffset={4} alignItemWithTrigger={false} className={styles["above"]}>
        <Select.Popup className={styles["popup"]}>
          {items.length === 0 && !isPartial && <p className={styles["none"]}>{t.format.none}</p>}
          {isPartial && <p className={styles["none"]}>{t.errors.notRead}</p>}
          <Select.List>
            {items.map(({ value, label }) => (
              <Select.Item key={value} value={value} disabled={isDisabled(value)} className={styles["item"]}>
                <Select.ItemText>{label}</Select.ItemText>
                <Select.ItemIndicator>
                  <Check size={14} aria-hidden="true" />
                </Select.ItemIndicator>
              </Select.Item>
            ))}
          </Select.List>
        </Select.Popup>
      </Select.Positioner>
    </Select.Portal>
  );
}
