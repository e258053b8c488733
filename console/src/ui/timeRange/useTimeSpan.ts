import { useState } from "react";
import { secondOf, spanOf, type RangeName, type RangeSearch, type TimeSpan } from "./timeRange.ts";

export interface ReadSpan {
  span: TimeSpan;
  /** When the clock was read, RFC 3339 in UTC. The same span comes of it. */
  at: string;
  renew: () => void;
}

/**
 * The instants of a range. They stay the same until another range is chosen, or `renew` reads the clock again. `at`: an earlier
 * reading of the clock, which an address holds.
 */
export function useTimeSpan(search: RangeSearch, fallback: RangeName, heldAt?: string): ReadSpan {
  const { range, since, until } = search;
  const key = `${range} ${since} ${until} ${heldAt}`;
  const read = () => {
    const at = heldAt ?? secondOf(Date.now());
    return { key, at, span: spanOf(search, fallback, Date.parse(at)) };
  };
  const [state, setState] = useState(read);
  const shown = state.key === key ? state : read();
  if (shown !== state) setState(shown);
  return { span: shown.span, at: shown.at, renew: () => setState(read()) };
}
