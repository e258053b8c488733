// A filter as a chip: its name and what is chosen, with a list to choose from.
import { Select } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import styles from "./filter.module.css";

export interface FilterOption {
  value: string;
  label: string;
}

interface FilterProps {
  label: string;
  options: readonly FilterOption[];
  onOpen?: () => void;
}

const ANY = "";

export function FilterSelect(props: FilterProps & { value: string | undefined; onChange: (value?: string) => void }) {
  const { label, options, value = ANY, onChange, onOpen } = props;
  const { t } = useLocale();
  const items = [{ value: ANY, label: t.live.any }, ...options];
  const shown = items.find((item) => item.value === value)?.label ?? value;
  return (
    <Select.Root
      items={items}
      value={value}
      onValueChange={(next) => onChange(next === ANY ? undefined : (next ?? undefined))}
      onOpenChange={(open) => open && onOpen?.()}
    >
      <Trigger label={label} shown={shown} isSet={value !== ANY} />
      <Options items={items} />
    </Select.Root>
  );
}

export function FilterMultiSelect(
  props: FilterProps & { value: readonly string[]; onChange: (value: readonly string[]) => void },
) {
  const { label, options, value, onChange, onOpen } = props;
  const { t, format } = useLocale();
  const missing = value.filter((each) => options.every((option) => option.value !== each));
  const items = [...options, ...missing.map((each) => ({ value: each, label: each }))];
  const [first] = value;
  const one = items.find((item) => item.value === first)?.label ?? t.live.any;
  return (
    <Select.Root
      multiple
      items={items}
      value={[...value]}
      onValueChange={onChange}
      onOpenChange={(open) => open && onOpen?.()}
    >
      <Trigger
        label={label}
        shown={value.length > 1 ? t.live.several(format.number(value.length)) : one}
        isSet={value.length > 0}
      />
      <Options items={items} />
    </Select.Root>
  );
}

function Trigger({ label, shown, isSet }: { label: string; shown: string; isSet: boolean }) {
  return (
    <Select.Trigger className={styles["chip"]} data-set={isSet || undefined} aria-label={`${label}: ${shown}`}>
      <span className={styles["label"]}>{label}</span>
      <span className={styles["value"]}>{shown}</span>
      <Select.Icon className={styles["icon"]}>
        <ChevronDown size={14} aria-hidden="true" />
      </Select.Icon>
    </Select.Trigger>
  );
}

function Options({ items }: { items: readonly FilterOption[] }) {
  const { t } = useLocale();
  return (
    <Select.Portal>
      <Select.Positioner sideOffset={4} alignItemWithTrigger={false} className={styles["above"]}>
        <Select.Popup className={styles["popup"]}>
          {items.length === 0 && <p className={styles["none"]}>{t.format.none}</p>}
          <Select.List>
            {items.map(({ value, label }) => (
              <Select.Item key={value} value={value} className={styles["item"]}>
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
