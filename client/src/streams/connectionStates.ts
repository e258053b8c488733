// The state of a client: that of the stream which is furthest from being live.
import type { SwitchboardError } from "../switchboardError.ts";
import type { ConnectionState } from "../types.ts";

type Listener = (state: ConnectionState) => void;

export interface ConnectionStates {
  current(): ConnectionState;
  onState(listener: Listener): () => void;
  /** Returns the functions that report the states and the end of one stream, also to a listener of its own. */
  add(listener: Listener | undefined): { report(state: ConnectionState): void; end(error?: SwitchboardError): void };
  close(): void;
}

/** These say no more than their names. */
const PLAIN = ["idle", "connecting", "live"];

const ORDER = ["live", "catchingUp", "connecting", "waiting"];

export function createConnectionStates(): ConnectionStates {
  const streams = new Map<object, ConnectionState>();
  const listeners = new Set<Listener>();
  let current: ConnectionState = { name: "idle" };
  let isClosed = false;

  function set(state: ConnectionState): void {
    const isSame = state.name === current.name && PLAIN.includes(state.name);
    current = state;
    if (!isSame) for (const listener of listeners) notify(listener, state);
  }
  function update(last: ConnectionState): void {
    const states = [...streams.values()].sort((a, b) => ORDER.indexOf(b.name) - ORDER.indexOf(a.name));
    if (!isClosed) set(states[0] ?? last);
  }
  return {
    current: () => current,
    onState(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add(listener) {
      const stream = {};
      let isEnded = false;
      return {
        report(state) {
          if (isEnded) return;
          notify(listener, state);
          streams.set(stream, state);
          update(state);
        },
        end(error) {
          isEnded = true;
          const state: ConnectionState = error ? { name: "ended", error } : { name: "ended" };
          notify(listener, state);
          if (streams.delete(stream)) update(error ? state : { name: "idle" });
        },
      };
    },
    close() {
      isClosed = true;
      set({ name: "ended" });
    },
  };
}

/** A listener that throws does not stop the stream: its error is reported as one that nothing caught. */
export function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
