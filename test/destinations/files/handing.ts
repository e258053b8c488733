// Runs a destination that gets files, with a deliverer that a test answers for.
import type {
  Attempt,
  EventReference,
  HourAttempt,
  HourDeliverer,
  MissingEvent,
  RefusedEvent,
} from "../../../src/destinations/deliverer.ts";
import type { DestinationTimes } from "../../../src/destinations/startDestinations.ts";
import type { EventLog } from "../../../src/events/eventLog.ts";
import type { Store } from "../../../src/store/store.ts";
import { failed, QUICK, run } from "../world.ts";

export const HOUR_MS = 3_600_000;
type Answer = (hour: string, events: readonly EventReference[]) => Attempt | readonly MissingEvent[] | HourAttempt;

export interface World {
  clock: { now: number };
  store: Store;
  events: EventLog;
}

const takenBut = (missing: readonly MissingEvent[]): HourAttempt => ({
  outcome: "taken",
  missing,
  refused: [],
  left: [],
});
const hindered = { ...failed(), status: null, text: "not now", isOwn: true } as RefusedEvent["made"];
/** An event that cannot be made up, and all after it where the destination is strict. */
export function refusing(sessionId: string, isStrict: boolean): Answer {
  return (_, events) => {
    const at = events.findIndex((event) => event.sessionId === sessionId);
    const [event] = at < 0 ? [] : events.slice(at);
    const left = event && isStrict ? events.slice(at + 1) : [];
    return { outcome: "taken", missing: [], refused: event ? [{ event, made: hindered }] : [], left };
  };
}

/** What was taken of each hour, one text for each file: `09: a b`. */
export function hand(
  { clock, store, events }: World,
  answer: Answer = () => [],
  own: { order?: "strict" | "free"; times?: DestinationTimes } = {},
) {
  const taken: string[] = [];
  let attempts = 0;
  const deliverer: HourDeliverer = {
    async deliverHour(hour, given) {
      attempts += 1;
      const made = answer(hour, given);
      const attempt = "outcome" in made ? (made as HourAttempt) : takenBut(made);
      if (attempt.outcome !== "taken") return attempt;
      const left = new Set([...attempt.missing, ...attempt.refused].map(({ event }) => event).concat(attempt.left));
      const written = given.filter((each) => !left.has(each)).map(({ sessionId }) => sessionId);
      if (written.length > 0) taken.push([`${hour.slice(-2)}:`, ...written].join(" "));
      return attempt;
    },
    test: async () => ({ outcome: "taken", status: null }),
    async [Symbol.asyncDispose]() {},
  };
  const { order = "free", times = QUICK } = own;
  const stop = run({ store, events }, deliverer, { order }, { clock: () => clock.now, times });
  return { taken, attempts: () => attempts, stop };
}
