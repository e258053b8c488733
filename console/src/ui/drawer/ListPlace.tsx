// Where open details stand in the list beside them: the list tells it, and the drawer goes on from it. The list may change many
// times a second, so only what shows the place is drawn again.
import { createContext, useContext, useEffect, useRef, useSyncExternalStore, type ReactNode } from "react";

/** What a list and its drawer show. Details of one kind do not follow a list of another. */
export type ListKind = "call" | "task" | "auditEntry";

export interface ListPlace {
  kind: ListKind;
  /** Null at an end of the list. */
  openPrevious: (() => void) | null;
  openNext: (() => void) | null;
  /** The link of the row, where it is drawn. */
  link: () => HTMLElement | null;
}

interface PlaceStore {
  get: () => ListPlace | null;
  set: (place: ListPlace | null) => void;
  subscribe: (listener: () => void) => () => void;
}

const PlaceContext = createContext<PlaceStore | null>(null);

export function ListPlaceProvider({ children }: { children: ReactNode }) {
  const { current: store } = useRef(createPlaceStore());
  return <PlaceContext value={store}>{children}</PlaceContext>;
}

function createPlaceStore(): PlaceStore {
  const listeners = new Set<() => void>();
  let place: ListPlace | null = null;
  return {
    get: () => place,
    set(next) {
      place = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function usePlaceStore(): PlaceStore {
  const store = useContext(PlaceContext);
  if (!store) throw new Error("A list or a drawer needs a ListPlaceProvider.");
  return store;
}

/** Null: no row of the list is open. `place` is new when it differs. */
export function useTellPlace(place: ListPlace | null): void {
  const store = usePlaceStore();
  useEffect(() => {
    if (!place) return undefined;
    store.set(place);
    return () => store.set(null);
  }, [store, place]);
}

export function useListPlace(kind: ListKind): ListPlace | null {
  const store = usePlaceStore();
  const place = useSyncExternalStore(store.subscribe, store.get);
  return place?.kind === kind ? place : null;
}
