// The details of one call at the right of any view. The list beside it stays usable; on a narrow window the drawer fills it.
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { useMedia } from "../ui/useMedia.ts";
import { CallDetails } from "./CallDetails.tsx";
import styles from "./call.module.css";

/** `sessionId` null: closed. */
export default function CallDrawer(props: { sessionId: string | null; around: string | null; onClose: () => void }) {
  const { sessionId, around, onClose } = props;
  const { t } = useLocale();
  const isNarrow = useMedia("(max-width: 639px)");
  // What it showed stays while it closes.
  const last = useRef({ sessionId, around });
  if (sessionId !== null) last.current = { sessionId, around };
  const shown = last.current;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root
      open={sessionId !== null}
      modal={isNarrow}
      disablePointerDismissal
      onOpenChange={(open) => !open && onClose()}
    >
      <Dialog.Portal>
        <Dialog.Popup className={styles["drawer"]} ref={popup} initialFocus={popup}>
          <div className={styles["head"]}>
            <Dialog.Title className={styles["title"]}>{t.call.title}</Dialog.Title>
            <Dialog.Close className={styles["close"]} aria-label={t.call.close}>
              <X size={18} aria-hidden="true" />
            </Dialog.Close>
          </div>
          {shown.sessionId !== null && (
            <CallDetails key={shown.sessionId} sessionId={shown.sessionId} around={shown.around} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
