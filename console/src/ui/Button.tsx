import type { ComponentProps } from "react";
import styles from "./button.module.css";

/** `icon`: a button without a text needs an aria-label. */
export function Button({
  kind = "plain",
  className,
  ...props
}: ComponentProps<"button"> & { kind?: "plain" | "primary" | "quiet" | "icon" }) {
  return <button type="button" {...props} className={`${styles["button"]} ${styles[kind]} ${className ?? ""}`} />;
}
