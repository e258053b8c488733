// The state of a client: that of the stream which is furthest from being live.
import type { SwitchboardError } from "../switchboardError.ts";
import type { ConnectionState } from "../types.ts";

export interface ConnectionStates {
  current(): ConnectionState;
  onState(listener: (state: ConnectionState) => void): () => void;
  /** Returns the functions that report the states and the end of one stream. */
  add(): { report(state: ConnectionState): void; end(error?: SwitchboardError): void };
  close(): void;
}

/** These say no more than their names. */
const PLAIN = ["idle", "connecting", "live"];

const ORDER = ["live", "catchingUp", "connecting", "waiting"];

export function createConnectionStates(): ConnectionStates {
  const streams = new Map<object, ConnectionState>();
  const listeners = new Set<(state: ConnectionState) => void>();
  let current: ConnectionState = { name: "idle" };
  let isClosed = false;

  function set(state: ConnectionState): void {
    const isSame = state.name === current.name && PLAIN.includes(state.name);
    current = state;
    if (!isSame) for (const listener of listeners) listener(state);
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
    add() {
      const stream = {};
      return {
        report(state) {
          streams.set(stream, state);
          update(state);
        },
        end(error) {
          if (streams.delete(stream)) update(error ? { name: "ended", error } : { name: "idle" });
        },
      };
    },
    close() {
      isClosed = true;
      set({ name: "ended" });
    },
  };
}
