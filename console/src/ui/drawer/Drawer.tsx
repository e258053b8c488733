// Details at the right of any view. The list beside it stays usable; on a narrow window the drawer fills it.
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useMedia } from "../useMedia.ts";
import styles from "./drawer.module.css";

/** `shown`: what the drawer shows; null: closed. */
export function Drawer<Shown>(props: {
  title: string;
  closeLabel: string;
  shown: Shown | null;
  children: (shown: Shown) => ReactNode;
  onClose: () => void;
}) {
  const { title, closeLabel, shown, children, onClose } = props;
  const isNarrow = useMedia("(max-width: 639px)");
  // What it showed stays while it closes.
  const last = useRef(shown);
  if (shown !== null) last.current = shown;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root
      open={shown !== null}
      modal={isNarrow}
      disablePointerDismissal
      onOpenChange={(open) => !open && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Popup className={styles["drawer"]} ref={popup} initialFocus={popup}>
          <div className={styles["head"]}>
            <Dialog.Title className={styles["title"]}>{title}</Dialog.Title>
            <Dialog.Close className={styles["close"]} aria-label={closeLabel}>
              <X size={18} aria-hidden="true" />
            </Dialog.Close>
          </div>
          {last.current !== null && children(last.current)}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
