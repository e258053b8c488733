import { Link } from "@tanstack/react-router";
import { useLocale } from "../locale/Locale.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { useMedia } from "../ui/useMedia.ts";
import type { ViewEntry } from "../views.ts";
import { AccountPanel } from "./AccountPanel.tsx";
import { Logo } from "./Logo.tsx";
import styles from "./frame.module.css";

const AccountButton = lazyPart(() => import("./AccountButton.tsx"), "AccountButton");

/** Icons with small words below 1,024 px, and a bar at the bottom below 640 px. */
export function Rail(props: { views: readonly ViewEntry[]; onHelp: () => void; onCommands: () => void }) {
  const { views, ...actions } = props;
  const { t } = useLocale();
  const isWide = useMedia("(min-width: 1024px)");
  return (
    <aside className={styles["rail"]} aria-label="Switchboard">
      <Logo />
      <nav aria-label={t.frame.views} className={styles["views"]}>
        {views.map(({ path, label, icon: Icon }) => (
          <Link key={path} to={path} className={styles["view"]} activeProps={{ "aria-current": "page" }}>
            <Icon size={18} aria-hidden="true" />
            <span>{label(t)}</span>
          </Link>
        ))}
      </nav>
      {isWide ? <AccountPanel {...actions} /> : <AccountButton {...actions} />}
    </aside>
  );
}
