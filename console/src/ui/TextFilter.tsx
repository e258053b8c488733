// A filter whose value is typed. It applies when it is complete: with Enter, or when the field is left.
import { Search } from "lucide-react";
import { useEffect, useId, useState, type SubmitEvent } from "react";
import styles from "./filter.module.css";

export function TextFilter(props: {
  label: string;
  /** "": no filter. */
  value: string;
  onApply: (value: string) => void;
  /** Values that the browser offers. */
  known?: readonly string[];
}) {
  const { label, value, onApply, known = [] } = props;
  const listId = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);

  function apply(): void {
    if (text.trim() !== value) onApply(text.trim());
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    apply();
  }
  return (
    <form onSubmit={submit} className={styles["text"]} data-set={value !== "" || undefined}>
      <Search size={14} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        autoComplete="off"
        list={known.length > 0 ? listId : undefined}
      />
      {known.length > 0 && (
        <datalist id={listId}>
          {known.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </form>
  );
}
