// A question before something that cannot be undone. The confirming button says what it does.
import { AlertDialog } from "@base-ui/react/alert-dialog";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import styles from "./confirm.module.css";

export interface ConfirmProps {
  isOpen: boolean;
  title: string;
  /** What happens. */
  children: ReactNode;
  confirmText: string;
  cancelText: string;
  /** The answer of the gateway is awaited: neither button works. */
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm(props: ConfirmProps) {
  const { isOpen, title, children, confirmText, cancelText, isBusy, onConfirm, onClose } = props;
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && !isBusy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles["backdrop"]} />
        <AlertDialog.Popup className={styles["popup"]}>
          <AlertDialog.Title className={styles["title"]}>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className={styles["description"]}>
            {children}
          </AlertDialog.Description>
          <div className={styles["buttons"]}>
            <Button onClick={onClose} disabled={isBusy}>
              {cancelText}
            </Button>
            <Button className={styles["confirm"]} onClick={onConfirm} disabled={isBusy}>
              {confirmText}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
