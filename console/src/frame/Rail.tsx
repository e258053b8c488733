import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
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
  const path = useLocation({ select: ({ pathname }) => pathname });
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const bar = list.current;
    if (!bar) return undefined;
    const observer = new ResizeObserver(() => showCurrent(bar));
    observer.observe(bar);
    return () => observer.disconnect();
  }, [path]);
  return (
    <aside className={styles["rail"]} aria-label="Switchboard">
      <Logo />
      <nav ref={list} aria-label={t.frame.views} className={styles["views"]}>
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

/** The bar of a narrow window may have more views than are in sight. scrollIntoView would move the place from which Tab goes on. */
function showCurrent(bar: HTMLElement): void {
  const link = bar.querySelector<HTMLElement>("[aria-current]");
  if (!link) return;
  const furthest = link.offsetLeft + link.offsetWidth - bar.clientWidth;
  if (bar.scrollLeft > link.offsetLeft) bar.scrollLeft = link.offsetLeft;
  else if (bar.scrollLeft < furthest) bar.scrollLeft = furthest;
}
