// The client of a tree of components.
import { createContext, createElement, useContext, type ReactElement, type ReactNode } from "react";
import type { SwitchboardClient } from "../types.ts";

const ClientContext = createContext<SwitchboardClient | null>(null);

/** Gives its children the client. It opens no connection and closes none: the client belongs to its creator. */
export function SwitchboardProvider({
  client,
  children,
}: {
  client: SwitchboardClient;
  children?: ReactNode;
}): ReactElement {
  return createElement(ClientContext.Provider, { value: client }, children);
}

/** The client of the nearest SwitchboardProvider. */
export function useSwitchboard(): SwitchboardClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("This hook needs a <SwitchboardProvider> around its component.");
  return client;
}
