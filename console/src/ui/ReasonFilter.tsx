// The chip of a hang-up reason that was chosen among counted reasons. Without one there is no chip.
import type { Reason } from "../data/filterSearch.ts";
import { useLocale } from "../locale/Locale.tsx";
import { FilterSelect } from "./FilterSelect.tsx";

const CHOSEN = "chosen";

export function ReasonFilter({ reason, onClear }: { reason: Reason | undefined; onClear: () => void }) {
  const { t } = useLocale();
  if (reason === undefined) return null;
  const options = [{ value: CHOSEN, label: reason ?? t.live.noReason }];
  return <FilterSelect label={t.live.columnReason} value={CHOSEN} options={options} onChange={onClear} />;
}
