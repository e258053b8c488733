// The task that waits for an approval beside a new sandbox.
import { instantOf } from "../format/instant.ts";
import { formatWallClock } from "../format/wallClock.ts";
import { DAY_MS } from "../util/durations.ts";

const PEOPLE = 24;

/** The input of createTask, for tomorrow by the sandbox's clock. The same key makes it one task, however often it is proposed. */
export const firstProposal = (now: number, timeZone: string) => ({
  idempotencyKey: "first start beside the sandbox",
  name: "Appointments of next week",
  assistantId: "14",
  option: {
    lineIds: ["60", "61"],
    periods: [
      ["09:00", "12:00"],
      ["14:00", "18:00"],
    ],
    startDate: formatWallClock(instantOf(now + DAY_MS), timeZone).slice(0, 10),
    retryCount: 2,
    retryIntervalSeconds: 600,
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
  },
  // Numbers that are reserved for fiction, in two countries.
  numbers: Array.from({ length: PEOPLE }, (_, at) => ({
    number: at % 2 === 0 ? `+120255501${String(at).padStart(2, "0")}` : `+447700900${100 + at}`,
    extra: { name: `Person ${at + 1}` },
  })),
});
