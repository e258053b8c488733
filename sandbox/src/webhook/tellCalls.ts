// Sends the events of calls that ended earlier, as a service does whose receiver was not there. Few are sent at a time, so that the
// receiver has time for others.
import type { Call } from "../world/model.ts";

const AT_A_TIME = 32;

/**
 * The oldest end first. `list` gets a call after the first attempt to send its event: until then the receiver cannot find it elsewhere. Resolves when all
 * are listed, or soon after the signal.
 */
export async function tellCalls(
  calls: readonly Call[],
  deps: { send: (call: Call) => Promise<void>; list: (call: Call) => void; signal: AbortSignal },
): Promise<void> {
  const waiting = calls.toSorted((a, b) => (a.endAt ?? 0) - (b.endAt ?? 0)).values();
  const work = async () => {
    for (const call of waiting) {
      if (deps.signal.aborted) return;
      await deps.send(call);
      deps.list(call);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}
