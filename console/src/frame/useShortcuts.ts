import { useEffect, useRef } from "react";
import { useLocale } from "../locale/Locale.tsx";

/** By the key that it is, such as `j` or `Escape`. A shortcut that returns false leaves the key to the browser. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** Not while somebody writes into a field, or chooses in a list. A user can switch those of one character off. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const { preferences } = useLocale();
  const newest = useRef(shortcuts);
  useEffect(() => {
    newest.current = shortcuts;
  });
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const action = newest.current[event.key];
      if (!action || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.length === 1 && (!preferences.shortcuts || isTyping(event.target))) return;
      if (action(event) !== false) event.preventDefault();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [preferences.shortcuts]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=listbox], [role=menu]") !== null;
}
