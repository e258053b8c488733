// What a filter's chip shows, and what its chip and its list have in common.
import { ChevronDown } from "lucide-react";
import styles from "./filter.module.css";

export interface FilterOption {
  value: string;
  label: string;
}

export interface FilterListProps {
  label: string;
  /** What is chosen, in words. */
  shown: string;
  isSet: boolean;
  /** No more can be chosen. */
  isFull?: boolean;
  items: readonly FilterOption[];
  /** The items could not all be read. */
  isPartial?: boolean | undefined;
  /** One, unless several may be chosen. */
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  onOpen: (() => void) | undefined;
}

export function ChipContent({ label, shown }: { label: string; shown: string }) {
  return (
    <>
      <span className={styles["label"]}>{label}</span>
      <span className={styles["value"]}>{shown}</span>
      <ChevronDown size={14} aria-hidden="true" className={styles["icon"]} />
    </>
  );
}
