// Runs calls through their states: ringing, answered, ended. The list shows a call from its start.
import type { Scheduler } from "../clock.ts";
import type { Call, Task, TaskItem } from "../world/model.ts";
import { NO_EXACT_FIELDS } from "../world/model.ts";
import { lineLabel } from "../world/fakeData.ts";
import type { CallOutcome } from "./outcomes.ts";
import type { World } from "../world/world.ts";

/** The fields of a call that are known before it starts. */
export type CallSetup = Pick<
  Call,
  "sessionId" | "taskId" | "taskItemId" | "kind" | "direction" | "caller" | "callee" | "assistants" | "extra"
>;

export interface Telephone {
  /**
   * Starts a call. `startAt` is the instant of the decision to call: at a high speed, a simulated second may pass between two
   * statements. `ended` is called once, after the list shows the end and the event was passed on.
   */
  startCall(dialled: CallSetup, outcome: CallOutcome, startAt: number, ended: (call: Call) => void): void;
}

/** @param deps.onEnded receives every ended call, after the list shows its end. */
export function createTelephone(deps: {
  world: World;
  scheduler: Scheduler;
  onEnded: (call: Call) => void;
}): Telephone {
  return {
    startCall: (dialled, outcome, startAt, ended) => {
      const call = createStartedCall(dialled, outcome, startAt);
      deps.world.addCall(call);
      // Records the planned instants: timers fire late, at a high speed by simulated seconds.
      const talkAt = call.startAt + outcome.ringTime * 1000;
      const endAt = talkAt + outcome.talkTime * 1000;
      if (outcome.answered) deps.scheduler.at(talkAt, () => void (call.answerAt = talkAt));
      deps.scheduler.at(endAt, () => {
        call.answerAt = outcome.answered ? talkAt : null;
        call.endAt = endAt;
        deps.onEnded(call);
        ended(call);
      });
    },
  };
}

/** A call to a number of a task, over its lines in turn. */
export function taskCallSetup(task: Task, item: TaskItem, turn: number, sessionId: string): CallSetup {
  return {
    sessionId,
    taskId: task.id,
    taskItemId: item.id,
    kind: "phone",
    direction: "outbound",
    caller: lineLabel(task.lines[turn % task.lines.length] ?? 0n),
    callee: item.number,
    assistants: [{ id: task.assistantId, vid: task.assistantVid }],
    extra: item.extra,
  };
}

/** An ended call of the history. */
export function createEndedCall(dialled: CallSetup, outcome: CallOutcome, startAt: number): Call {
  const call = createStartedCall(dialled, outcome, startAt);
  call.answerAt = outcome.answered ? startAt + outcome.ringTime * 1000 : null;
  call.endAt = startAt + (outcome.ringTime + outcome.talkTime) * 1000;
  return call;
}

function createStartedCall(dialled: CallSetup, outcome: CallOutcome, startAt: number): Call {
  return {
    ...dialled,
    createdAt: startAt,
    startAt,
    answerAt: null,
    endAt: null,
    ringTime: outcome.ringTime,
    duration: outcome.ringTime + outcome.talkTime,
    billsec: outcome.talkTime,
    hangupSide: outcome.hangupSide,
    hangupReason: outcome.hangupReason,
    isRecorded: true,
    exact: NO_EXACT_FIELDS,
  };
}
