import { useSyncExternalStore } from "react";
import { useConnectionState } from "switchboard-client/react";
import type { ConnectionState } from "switchboard-client";
import type { Format } from "../locale/format.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useNow } from "../locale/useNow.ts";
import type { Texts } from "../texts/en.ts";
import styles from "./frame.module.css";

/** A dot with a word. A screen reader hears the state when it changes, without the seconds that pass. */
export function ConnectionBadge() {
  const { t, format } = useLocale();
  const state = useConnectionState();
  const isOnline = useSyncExternalStore(onOnlineChange, () => navigator.onLine);
  const now = useNow(500);
  const name = isOnline ? state.name : "offline";
  const text = isOnline ? wordsOf(state, now, t.connection, format) : t.connection.offline;
  return (
    <p className={styles["badge"]} data-state={name} aria-label={t.connection.label} role="group">
      <span className={styles["dot"]} aria-hidden="true" />
      <span>{text}</span>
      <span className="hidden" role="status">
        {name === "waiting" ? t.connection.connecting : name === "catchingUp" ? t.connection.catchingUp : text}
      </span>
    </p>
  );
}

function wordsOf(state: ConnectionState, now: number, t: Texts["connection"], format: Format): string {
  if (state.name === "waiting")
    return t.reconnecting(format.number(Math.max(1, Math.ceil((state.until.getTime() - now) / 1000))));
  if (state.name !== "catchingUp") return t[state.name];
  return state.behindMs ? t.behind(format.duration(state.behindMs)) : t.catchingUp;
}

function onOnlineChange(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
