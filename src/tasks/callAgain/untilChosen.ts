// Repeats an attempt while people are chosen in vain, because others were reached or chosen before the submission was stored.
import { CodedError } from "../../errors.ts";

const MAX_CHOICES = 5;

/** `attempt`: null where people have to be chosen again. Throws STORE_UNAVAILABLE if that does not end. */
export async function untilChosen<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let choice = 0; choice < MAX_CHOICES; choice += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new CodedError(
    "STORE_UNAVAILABLE",
    "While people were chosen, some were reached or chosen by others, again and again. Nothing was sent; try again in some seconds.",
    { retryAfter: 5 },
  );
}
