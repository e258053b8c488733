// A task that an agent proposes.
import { randomUUID } from "node:crypto";

export const proposal = (own: Record<string, unknown> = {}) => ({
  idempotencyKey: randomUUID(),
  name: "Second try",
  assistantId: "14",
  option: {
    lineIds: ["60"],
    periods: [["09:00", "18:00"]],
    startDate: "2126-11-20",
    retryCount: 1,
    retryIntervalSeconds: 600,
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
  },
  numbers: [{ number: "+12025550101" }, { number: "+12025550102", extra: { name: "Person 2" } }],
  ...own,
});
