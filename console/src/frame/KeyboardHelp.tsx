import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import styles from "./help.module.css";

export default function KeyboardHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t, preferences, choose } = useLocale();
  const rows: [string, string[]][] = [
    [t.keys.next, ["j", "↓"]],
    [t.keys.previous, ["k", "↑"]],
    [t.keys.openRow, ["Enter"]],
    [t.keys.closeDrawer, ["Esc"]],
    [t.keys.filter, ["/"]],
    [t.keys.pause, ["p"]],
    [t.keys.play, ["Space"]],
    [t.keys.seek, ["←", "→"]],
    [t.keys.help, ["?"]],
  ];
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles["backdrop"]} />
        <Dialog.Popup className={styles["help"]}>
          <div className={styles["head"]}>
            <Dialog.Title className={styles["title"]}>{t.keys.title}</Dialog.Title>
            <Dialog.Close className={styles["close"]} aria-label={t.frame.close}>
              <X size={16} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <dl className={styles["keys"]}>
            {rows.map(([what, keys]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <label className={styles["enabled"]}>
            <input
              type="checkbox"
              checked={preferences.shortcuts}
              onChange={({ target }) => choose({ shortcuts: target.checked })}
            />
            {t.keys.enabled}
          </label>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
