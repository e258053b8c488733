// What each section of the form of a new task gets.
import type { Fields } from "./draft.ts";
import type { FieldName } from "./taskInput.ts";

export interface FormProps {
  fields: Fields;
  change: (changed: Partial<Fields>) => void;
  /** What is wrong with a field, as the gateway or the form says it. */
  errorOf: (field: FieldName) => string | null;
}
