// Details at the right of any view. The list beside it stays usable; on a narrow window the drawer fills it.
import { Dialog } from "@base-ui/react/dialog";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useLocale } from "../../locale/Locale.tsx";
import { Button } from "../Button.tsx";
import { useMedia } from "../useMedia.ts";
import { useListPlace, type ListKind } from "./ListPlace.tsx";
import styles from "./drawer.module.css";

/** `shown`: what the drawer shows; null: closed. `kind`: it follows a list of these. */
export function Drawer<Shown>(props: {
  title: string;
  closeLabel: string;
  kind: ListKind;
  shown: Shown | null;
  children: (shown: Shown) => ReactNode;
  onClose: () => void;
}) {
  const { title, closeLabel, kind, shown, children, onClose } = props;
  const { t } = useLocale();
  const isNarrow = useMedia("(max-width: 639px)");
  // What it showed stays while it closes.
  const last = useRef(shown);
  if (shown !== null) last.current = shown;
  const popup = useRef<HTMLDivElement>(null);
  const place = useListPlace(kind);
  const lastPlace = useRef(place);
  if (shown !== null) lastPlace.current = place;
  useEffect(() => {
    // What had the focus may be gone with the details before.
    if (shown !== null && document.activeElement === document.body) popup.current?.focus();
  }, [shown]);
  const step = (label: string, open: (() => void) | null, icon: ReactNode) => (
    <Button kind="icon" aria-label={label} title={label} disabled={open === null} onClick={open ?? undefined}>
      {icon}
    </Button>
  );
  return (
    <Dialog.Root
      open={shown !== null}
      modal={isNarrow}
      disablePointerDismissal
      onOpenChange={(open) => !open && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Popup
          className={styles["drawer"]}
          ref={popup}
          initialFocus={popup}
          finalFocus={() => lastPlace.current?.link() ?? true}
          data-drawer
        >
          <div className={styles["head"]}>
            <Dialog.Title className={styles["title"]}>{title}</Dialog.Title>
            {place && step(t.frame.previous, place.openPrevious, <ChevronUp size={18} aria-hidden="true" />)}
            {place && step(t.frame.next, place.openNext, <ChevronDown size={18} aria-hidden="true" />)}
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
