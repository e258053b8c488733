// A filter as a chip: its name and what is chosen. The code of its list is loaded when it is opened first: it is large, and the
// first view shows several filters.
import { useState } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { ChipContent, type FilterListProps, type FilterOption } from "./FilterChip.tsx";
import { lazyPart, type LazyPart } from "./lazyPart.tsx";
import styles from "./filter.module.css";

interface FilterProps {
  label: string;
  options: readonly FilterOption[];
}

const FilterList = lazyPart(() => import("./FilterList.tsx"), "FilterList");
const FilterSearchList = lazyPart(() => import("./FilterSearchList.tsx"), "FilterSearchList");

const ANY = "";

/** One of a few values that the console knows. */
export function FilterSelect(props: FilterProps & { value: string | undefined; onChange: (value?: string) => void }) {
  const { label, options, value = ANY, onChange } = props;
  const { t } = useLocale();
  const items = [{ value: ANY, label: t.live.any }, ...options];
  const shown = items.find((item) => item.value === value)?.label ?? value;
  const choose = ([next]: readonly string[]) => onChange(next === ANY ? undefined : next);
  return (
    <Filter
      list={FilterList}
      {...{ label, shown, items }}
      isSet={value !== ANY}
      value={[value]}
      onChange={choose}
      onOpen={undefined}
    />
  );
}

/** Several of the names that the gateway knows, which may be many: its list has a search. */
export function FilterMultiSelect(
  props: FilterProps & {
    value: readonly string[];
    /** The options could not all be read. */
    isPartial?: boolean;
    /** The most that can be chosen. */
    max?: number;
    onChange: (value: readonly string[]) => void;
    onOpen?: () => void;
  },
) {
  const { label, options, isPartial, value, max = Infinity, onChange, onOpen } = props;
  const { t, format } = useLocale();
  const missing = value.filter((each) => options.every((option) => option.value !== each));
  const items = [...options, ...missing.map((each) => ({ value: each, label: each }))];
  const [first] = value;
  const one = items.find((item) => item.value === first)?.label ?? t.live.any;
  const shown = value.length > 1 ? t.live.several(format.number(value.length)) : one;
  return (
    <Filter
      list={FilterSearchList}
      {...{ label, shown, items, isPartial, value, onChange, onOpen }}
      isSet={value.length > 0}
      isFull={value.length >= max}
    />
  );
}

function Filter({ list: List, ...props }: FilterListProps & { list: LazyPart<FilterListProps> }) {
  const { label, shown, isSet, onOpen } = props;
  const [wasOpened, setOpened] = useState(false);
  function open(): void {
    setOpened(true);
    onOpen?.();
  }
  const chip = (
    <button
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-label={`${label}: ${shown}`}
      className={styles["chip"]}
      data-set={isSet || undefined}
      onPointerEnter={() => void List.preload()}
      onFocus={() => void List.preload()}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        open();
      }}
    >
      <ChipContent label={label} shown={shown} />
    </button>
  );
  return wasOpened ? <List {...props} placeholder={chip} /> : chip;
}
