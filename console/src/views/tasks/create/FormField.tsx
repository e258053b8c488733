// A label, its control, what it means, and what is wrong with it.
import { CircleAlert } from "lucide-react";
import { useId, type ReactNode } from "react";
import styles from "./create.module.css";

export interface ControlIds {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

/** A group, such as check boxes, gets its label by `as: "group"`. */
export function FormField(props: {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  as?: "group";
  children: (ids: ControlIds) => ReactNode;
}) {
  const { label, hint, error, as, children } = props;
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ") || undefined;
  const ids = { id, "aria-describedby": described, "aria-invalid": Boolean(error) };
  const below = (
    <>
      {hint && (
        <p id={`${id}-hint`} className={styles["hint"]}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles["error"]} role="alert">
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
    </>
  );
  if (as === "group") {
    return (
      <fieldset className={styles["field"]} aria-describedby={described}>
        <legend>{label}</legend>
        {children(ids)}
        {below}
      </fieldset>
    );
  }
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      {children(ids)}
      {below}
    </div>
  );
}
