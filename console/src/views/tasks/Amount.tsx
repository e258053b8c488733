import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { texts } from "./texts/texts.ts";

/** A count. Null is unknown; `isAtLeast`: there may be more. */
export function Amount({ value, isAtLeast = false }: { value: number | null; isAtLeast?: boolean }) {
  const { t: all, format } = useLocale();
  const t = useTexts(texts);
  if (value === null) return <>{all.format.unknown}</>;
  if (!isAtLeast) return <>{format.number(value)}</>;
  return <span title={t.atLeastHint}>{t.atLeast(format.number(value))}</span>;
}
