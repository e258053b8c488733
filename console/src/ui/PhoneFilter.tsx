import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useState, type SubmitEvent } from "react";
import { hashOf } from "../data/filterSearch.ts";
import { useLocale } from "../locale/Locale.tsx";
import styles from "./filter.module.css";

/** The number goes behind the `#` of the address when it is complete. */
export function PhoneFilter({ phone }: { phone: string | null }) {
  const { t } = useLocale();
  const navigate = useNavigate();
  const [text, setText] = useState(phone ?? "");
  useEffect(() => setText(phone ?? ""), [phone]);

  function apply(): void {
    if (text.trim() === (phone ?? "")) return;
    void navigate({ to: ".", search: true, hash: hashOf(text.trim()), replace: true });
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    apply();
  }
  return (
    <form onSubmit={submit} className={styles["phone"]} data-set={phone !== null || undefined}>
      <Search size={14} aria-hidden="true" />
      <input
        type="search"
        aria-label={t.live.phone}
        placeholder={t.live.phone}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        autoComplete="off"
      />
    </form>
  );
}
