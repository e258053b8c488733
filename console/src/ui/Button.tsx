import type { ComponentProps } from "react";
import styles from "./button.module.css";

/** A link that looks like a quiet button. */
export function LinkButton(props: ComponentProps<"a">) {
  return <a {...props} className={`${styles["button"]} ${styles["quiet"]} ${styles["link"]}`} />;
}

/** `icon`: a button without a text needs an aria-label. */
export function Button({
  kind = "plain",
  className,
  ...props
}: ComponentProps<"button"> & { kind?: "plain" | "primary" | "quiet" | "icon" }) {
  return <button type="button" {...props} className={`${styles["button"]} ${styles[kind]} ${className ?? ""}`} />;
}
