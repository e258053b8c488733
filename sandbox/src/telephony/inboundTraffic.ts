// Makes an inbound call every 10 to 20 s, so that a new user sees events.
import type { Scheduler } from "../clock.ts";
import type { Assistant } from "../world/model.ts";
import { phoneNumber } from "../world/fakeData.ts";
import type { CallOutcome } from "./outcomes.ts";
import { drawOutcome } from "./outcomes.ts";
import { createRandom } from "../random.ts";
import type { CallSetup, Telephone } from "./telephone.ts";

/** From one call to the next. */
export const INBOUND_EVERY_MS = { min: 10_000, max: 20_000 };

export const SWITCHBOARD_NUMBER = "10000009000";

/** The first call ends after two seconds, so that the first event comes soon. */
const FIRST_OUTCOME: CallOutcome = {
  answered: true,
  ringTime: 1,
  talkTime: 1,
  hangupSide: "caller",
  hangupReason: "normal",
  collected: false,
};

export function startTraffic(deps: {
  telephone: Telephone;
  scheduler: Scheduler;
  now: () => number;
  session: () => string;
  assistants: readonly Assistant[];
  seed: number;
}): void {
  const { telephone, scheduler, now, seed } = deps;
  let count = 0;
  const makeCall = () => {
    const random = createRandom(seed, "inbound", count);
    const assistant = random.pick(deps.assistants);
    const dialled = inboundCallSetup(assistant, phoneNumber(random, random.chance(0.7) ? "zh" : "en"), deps.session());
    telephone.startCall(dialled, count === 0 ? FIRST_OUTCOME : drawOutcome(random, "inbound"), now(), () => undefined);
    count += 1;
    scheduler.at(now() + random.int(INBOUND_EVERY_MS.min, INBOUND_EVERY_MS.max), makeCall);
  };
  makeCall();
}

/** An inbound call that the assistant's newest version answers. */
export function inboundCallSetup(assistant: Assistant, caller: string, sessionId: string): CallSetup {
  const newest = assistant.versions.at(-1);
  return {
    sessionId,
    taskId: null,
    taskItemId: null,
    kind: "phone",
    direction: "inbound",
    caller,
    callee: SWITCHBOARD_NUMBER,
    assistants: newest ? [{ id: assistant.id, vid: newest.vid }] : [],
    extra: {},
  };
}
