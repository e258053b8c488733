// The details of one call at the right of any view. The list beside it stays usable; on a narrow window the drawer fills it.
import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { useMedia } from "../ui/useMedia.ts";
import { CallDetails } from "./CallDetails.tsx";
import styles from "./call.module.css";

/** `sessionId` null: closed. */
export default function CallDrawer({ sessionId, onClose }: { sessionId: string | null; onClose: () => void }) {
  const { t } = useLocale();
  const isNarrow = useMedia("(max-width: 639px)");
  // What it showed stays while it closes.
  const last = useRef(sessionId);
  if (sessionId !== null) last.current = sessionId;
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
          {last.current !== null && <CallDetails key={last.current} sessionId={last.current} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
