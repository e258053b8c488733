import { useNavigate } from "@tanstack/react-router";
import { hashOf } from "../data/filterSearch.ts";
import { useLocale } from "../locale/Locale.tsx";
import { TextFilter } from "./TextFilter.tsx";

/** The number goes behind the `#` of the address when it is complete. */
export function PhoneFilter({ phone }: { phone: string | null }) {
  const { t } = useLocale();
  const navigate = useNavigate();
  return (
    <TextFilter
      label={t.live.phone}
      value={phone ?? ""}
      onApply={(text) => void navigate({ to: ".", search: true, hash: hashOf(text), replace: true })}
    />
  );
}
