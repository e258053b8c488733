// The state of the client's connection, for a badge such as "live" or "reconnecting".
import { useSyncExternalStore } from "react";
import type { ConnectionState } from "../types.ts";
import { useSwitchboard } from "./context.ts";

const UNKNOWN: ConnectionState = { name: "idle" };

/** On a server, and in the browser while it hydrates, it is idle. */
export function useConnectionState(): ConnectionState {
  const client = useSwitchboard();
  return useSyncExternalStore(
    client.onState,
    () => client.state,
    () => UNKNOWN,
  );
}
