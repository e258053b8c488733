import { useState } from "react";
import { spanOf, type RangeName, type RangeSearch, type TimeSpan } from "./timeRange.ts";

/** The instants of a range. They stay the same until another range is chosen, or `renew` reads the clock again. */
export function useTimeSpan(search: RangeSearch, fallback: RangeName): { span: TimeSpan; renew: () => void } {
  const { range, since, until } = search;
  const key = `${range} ${since} ${until}`;
  const read = () => ({ key, span: spanOf(search, fallback, Date.now()) });
  const [state, setState] = useState(read);
  const shown = state.key === key ? state : read();
  if (shown !== state) setState(shown);
  return { span: shown.span, renew: () => setState(read()) };
}
