import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useLocale, useTexts } from "../locale/Locale.tsx";
import type { ViewEntry } from "../views.ts";
import { MOD } from "./modKey.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./help.module.css";

export function KeyboardHelp(props: { views: readonly ViewEntry[]; isOpen: boolean; onClose: () => void }) {
  const { views, isOpen, onClose } = props;
  const { t, preferences, choose } = useLocale();
  const keys = useTexts({ en, zh });
  const rows: [string, string[]][] = [
    [keys.next, ["j", "↓"]],
    [keys.previous, ["k", "↑"]],
    [keys.ends, ["Home", "End"]],
    [keys.openRow, ["Enter"]],
    [keys.closeDrawer, ["Esc"]],
    [keys.filter, ["/"]],
    [keys.pause, ["p"]],
    [keys.page, ["]", "["]],
    [keys.readAgain, ["r"]],
    [keys.play, ["Space"]],
    [keys.seek, ["←", "→"]],
    [keys.commands, [MOD, "K"]],
    ...views.flatMap(({ label, jump }): [string, string[]][] => (jump ? [[keys.jump(label(t)), ["g", jump]]] : [])),
    [keys.help, ["?"]],
  ];
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles["backdrop"]} />
        <Dialog.Popup className={styles["help"]}>
          <div className={styles["head"]}>
            <Dialog.Title className={styles["title"]}>{t.frame.keyboard}</Dialog.Title>
            <Dialog.Close className={styles["close"]} aria-label={t.frame.close}>
              <X size={16} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <dl className={styles["keys"]}>
            {rows.map(([what, names]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {names.map((key) => (
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
            {keys.enabled}
          </label>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
