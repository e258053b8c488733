// One of a few values, such as a language: radio buttons of the browser, side by side.
import { useId, type ReactNode } from "react";
import styles from "./segments.module.css";

export function Segments<Value extends string>(props: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; content?: ReactNode; lang?: string }[];
  onChange: (value: Value) => void;
}) {
  const { label, value, options, onChange } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles["group"]}>
      {options.map((option) => (
        <label key={option.value} title={option.label} lang={option.lang} className={styles["option"]}>
          <input
            type="radio"
            name={name}
            aria-label={option.label}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.content ?? option.label}
        </label>
      ))}
    </div>
  );
}
