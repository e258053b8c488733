import { useEffect, useRef } from "react";
import { useLocale } from "../locale/Locale.tsx";

/**
 * By the key that it is, such as `j` or `Escape`; by two keys one after the other, such as `g l`; or by `Mod+k`: Ctrl or ⌘ with k.
 * A shortcut that returns false leaves the key to the browser.
 */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** The first key of two, and for how long it waits for the second. */
const PREFIX = "g";
const PREFIX_MS = 1500;

/**
 * Not while somebody writes into a field, or chooses in a list, except for those with Ctrl or ⌘. A user can switch those of one
 * character off, and of two.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const { preferences } = useLocale();
  const newest = useRef(shortcuts);
  useEffect(() => {
    newest.current = shortcuts;
  });
  useEffect(() => {
    // By the clock of events. Every user of this hook sees the same keys, so that the second key does nothing else.
    let prefixAt = -Infinity;
    function press(event: KeyboardEvent): void {
      const { key, timeStamp } = event;
      const isModified = event.ctrlKey || event.metaKey || event.altKey;
      const isSecond = !isModified && timeStamp - prefixAt < PREFIX_MS;
      if (!isModifier(key)) prefixAt = key === PREFIX && !isSecond && !isModified ? timeStamp : -Infinity;
      const action = newest.current[nameOf(event, isSecond)];
      if (!action || event.defaultPrevented) return;
      const isOneCharacter = !isModified && key.length === 1;
      if (isOneCharacter && (!preferences.shortcuts || isTyping(event.target))) return;
      if (action(event) !== false) event.preventDefault();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [preferences.shortcuts]);
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, isSecond: boolean): string {
  if (altKey) return "";
  if (ctrlKey || metaKey) return `Mod+${key.toLowerCase()}`;
  return isSecond ? `${PREFIX} ${key}` : key;
}

const isModifier = (key: string): boolean => ["Shift", "Control", "Alt", "Meta"].includes(key);

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=listbox], [role=menu]") !== null;
}
