import { Popover } from "@base-ui/react/popover";
import { CircleUser } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { useMedia } from "../ui/useMedia.ts";
import { AccountPanel, type AccountActions } from "./AccountPanel.tsx";
import styles from "./frame.module.css";

/** Opens the panel where the rail has no room for it. */
export function AccountButton(actions: AccountActions) {
  const { t } = useLocale();
  const { viewer, hasKey } = useSession();
  const isBar = useMedia("(max-width: 639px)");
  return (
    <Popover.Root>
      <Popover.Trigger className={styles["view"]} title={hasKey ? t.frame.signedInAs(viewer.name) : undefined}>
        <CircleUser size={18} aria-hidden="true" />
        <span>{t.frame.settings}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner side={isBar ? "top" : "right"} align="end" sideOffset={8} className={styles["above"]}>
          <Popover.Popup className={styles["popup"]} aria-label={t.frame.settings}>
            <AccountPanel {...actions} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
