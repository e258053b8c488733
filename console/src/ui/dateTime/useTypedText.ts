// The text of a field while somebody types. A text that can be read is told at once, and written in one form when the field is left. Another
// text is told when the field is left, so that a half-written one is no mistake.
import { useState, type ChangeEvent } from "react";

export interface FieldIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

/** `read`: the value of a text; null where it has none. */
export function useTypedText(value: string, onChange: (value: string) => void, read: (text: string) => string | null) {
  const [typed, setTyped] = useState<{ text: string; value: string } | null>(null);
  // Something else changed the value: what was typed is old.
  const text = typed?.value === value ? typed.text : value;
  return {
    value: text,
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      const next = read(target.value);
      setTyped({ text: target.value, value: next ?? value });
      if (next !== null && next !== value) onChange(next);
    },
    onBlur() {
      setTyped(null);
      const left = text.trim();
      if ((read(text) ?? left) !== value) onChange(read(text) ?? left);
    },
  };
}
