import { useState } from "react";
import { formText } from "./formText.ts";

const SLOT = "gateway-key";

/** The key, in this tab alone: it is gone when the tab is closed. */
export function useKey(): [key: string | null, saveKey: (key: string) => void] {
  const [key, setKey] = useState(() => sessionStorage.getItem(SLOT));
  return [
    key,
    (next) => {
      sessionStorage.setItem(SLOT, next);
      setKey(next);
    },
  ];
}

export function KeyForm({ onKey }: { onKey: (key: string) => void }) {
  return (
    <form action={(form) => onKey(formText(form, "key"))}>
      <label>
        Key <input name="key" type="password" autoComplete="off" required />
      </label>
      <button>Use this key</button>
    </form>
  );
}
