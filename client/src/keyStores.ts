// Where idempotency keys and cursors are kept.
import type { CursorStore, KeyStore } from "./types.ts";

/** Keeps keys as long as the client lives. */
export function createMemoryKeyStore(): KeyStore {
  const texts = new Map<string, string>();
  return {
    update(slot, change) {
      const text = change(texts.get(slot) ?? null);
      if (text === null) texts.delete(slot);
      else texts.set(slot, text);
      return text;
    },
  };
}

interface Locks {
  request<T>(name: string, work: () => T | Promise<T>): Promise<T>;
}

/**
 * Keeps keys in localStorage: over reloads, and for all tabs. Two tabs that change a slot at the same moment wait for each
 * other where the browser has Web Locks, which need HTTPS or localhost.
 */
export function createLocalKeyStore(prefix = "switchboard.task."): KeyStore {
  const { localStorage, navigator } = globalThis as unknown as { localStorage: Storage; navigator?: { locks?: Locks } };
  return {
    update(slot, change) {
      const name = prefix + slot;
      const update = () => {
        const text = change(localStorage.getItem(name));
        if (text === null) localStorage.removeItem(name);
        else localStorage.setItem(name, text);
        return text;
      };
      return navigator?.locks ? navigator.locks.request(name, update) : update();
    },
  };
}

/** Keeps a cursor in localStorage. Give each list, and each filter, a name of its own. */
export function createLocalCursorStore(name: string): CursorStore {
  return {
    load: () => localStorage.getItem(name),
    save: (cursor) => localStorage.setItem(name, cursor),
  };
}
