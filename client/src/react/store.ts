// A state outside of React that does its work only while a component shows it. A server shows nothing, so nothing runs there.
import { useState } from "react";

export interface Store<State> {
  /** The first listener starts the work, and the last one to leave ends it. */
  subscribe(listener: () => void): () => void;
  get(): State;
  /** What a server renders, and the browser when it hydrates. */
  initial(): State;
  set(state: State): void;
  /** Ends the work, and starts it again if a component shows the state. */
  restart(): void;
}

/** `work` must end when the signal aborts, and set nothing afterwards. */
export function createStore<State>(
  first: State,
  work: (store: Store<State>, signal: AbortSignal) => Promise<void>,
): Store<State> {
  const listeners = new Set<() => void>();
  let state = first;
  let controller = new AbortController();

  function start(): void {
    controller = new AbortController();
    void work(store, controller.signal);
  }
  const store: Store<State> = {
    get: () => state,
    initial: () => first,
    set(next) {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) controller.abort();
      };
    },
    restart() {
      controller.abort();
      if (listeners.size > 0) start();
    },
  };
  return store;
}

/** Makes a value once, and again when one of the `parts` is another. Unlike useMemo it is never forgotten. */
export function useMade<T>(make: () => T, parts: readonly unknown[]): T {
  const [held, hold] = useState(() => ({ parts, value: make() }));
  if (held.parts.every((part, index) => Object.is(part, parts[index]))) return held.value;
  const made = { parts, value: make() };
  hold(made);
  return made.value;
}
