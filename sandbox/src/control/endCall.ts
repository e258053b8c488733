// Ends a call on request. The call is in the list before its event is sent.
import { z } from "zod";
import { settleItem, type Dialler } from "../telephony/dialler.ts";
import { extraSchema, idSchema } from "../bigintJson.ts";
import type { Ids, World } from "../world/world.ts";
import {
  NO_EXACT_FIELDS,
  type Assistant,
  type Call,
  type Direction,
  type Task,
  type TaskItem,
} from "../world/model.ts";
import { lineLabel, phoneNumber } from "../world/fakeData.ts";
import type { Random } from "../random.ts";
import { SWITCHBOARD_NUMBER } from "../telephony/inboundTraffic.ts";

const seconds = z.int().min(0).max(86_400);

/** All fields are optional. The default is an answered inbound call; missing values are made up, or taken from the task. */
export const endCallSchema = z.strictObject({
  /** An existing call with this session id is replaced, and its event is sent again. */
  sessionId: z.string().min(1).optional(),
  /** Settles the task's next open number, or the one in `callee`. The task may be unknown. */
  taskId: idSchema.optional(),
  taskItemId: idSchema.optional(),
  /** Default: outbound with a task, inbound without. */
  direction: z.enum(["inbound", "outbound"]).optional(),
  kind: z.enum(["phone", "privateTest"]).default("phone"),
  caller: z.string().optional(),
  callee: z.string().optional(),
  answered: z.boolean().default(true),
  /** Seconds of ringing and, if answered, of talking. The call started that much earlier. */
  ringTime: seconds.default(3),
  talkTime: seconds.default(20),
  hangupSide: z.enum(["caller", "callee"]).default("callee"),
  hangupReason: z.string().optional(),
  assistant: z.array(z.strictObject({ id: idSchema, vid: idSchema })).optional(),
  extra: extraSchema.optional(),
  /** False: no event is sent, as if the service lost it. */
  webhook: z.boolean().default(true),
  /** False: the list does not show the call, as if the event were faster. */
  listed: z.boolean().default(true),
});

export type EndCallInput = z.input<typeof endCallSchema>;
type EndCallRequest = z.infer<typeof endCallSchema>;

export interface EndCallDeps {
  world: World;
  ids: Ids;
  dialler: Dialler;
  inbound: readonly Assistant[];
  random: Random;
  now: () => number;
  /** Sends the event. */
  onEnded: (call: Call) => void;
}

/** @returns the session id. */
export function endCall(asked: EndCallRequest, deps: EndCallDeps): string {
  const { world, now } = deps;
  const task = asked.taskId === undefined ? undefined : world.tasks.get(asked.taskId);
  const item = task && findOpenItem(task, asked.callee);
  const call = createCall(asked, { task, item }, deps);
  if (task && item) settleItem(task, item, asked.answered, now());
  if (asked.listed) world.addCall(call);
  if (asked.webhook) deps.onEnded(call);
  if (task) deps.dialler.wake(task);
  return call.sessionId;
}

function createCall(
  asked: EndCallRequest,
  of: { task: Task | undefined; item: TaskItem | undefined },
  deps: EndCallDeps,
): Call {
  const { random } = deps;
  const direction: Direction = asked.direction ?? (asked.taskId === undefined ? "inbound" : "outbound");
  const customer = phoneNumber(random, "zh");
  const ownNumber = direction === "inbound" ? SWITCHBOARD_NUMBER : lineLabel(of.task?.lines[0] ?? 60n);
  const billsec = asked.answered ? asked.talkTime : 0;
  const duration = asked.ringTime + billsec;
  const endAt = deps.now();
  const startAt = endAt - duration * 1000;
  return {
    sessionId: asked.sessionId ?? deps.ids.session(),
    taskId: asked.taskId ?? null,
    taskItemId: asked.taskItemId ?? of.item?.id ?? (asked.taskId === undefined ? null : deps.ids.next("item")),
    kind: asked.kind,
    direction,
    caller: asked.caller ?? (direction === "inbound" ? customer : ownNumber),
    callee: asked.callee ?? (direction === "inbound" ? ownNumber : (of.item?.number ?? customer)),
    createdAt: startAt,
    startAt,
    answerAt: asked.answered ? startAt + asked.ringTime * 1000 : null,
    endAt,
    ringTime: asked.ringTime,
    duration,
    billsec,
    hangupSide: asked.hangupSide,
    hangupReason: asked.hangupReason ?? (asked.answered ? "normal" : "no answer"),
    assistants: asked.assistant ?? pickAssistant(of.task, deps),
    extra: asked.extra ?? of.item?.extra ?? {},
    isRecorded: true,
    exact: NO_EXACT_FIELDS,
  };
}

function findOpenItem(task: Task, callee: string | undefined): TaskItem | undefined {
  return task.items.find((item) => !item.done && (callee === undefined || item.number === callee));
}

function pickAssistant(task: Task | undefined, deps: EndCallDeps): { id: bigint; vid: bigint }[] {
  if (task) return [{ id: task.assistantId, vid: task.assistantVid }];
  const assistant = deps.random.pick(deps.inbound);
  return assistant.versions.slice(-1).map(({ vid }) => ({ id: assistant.id, vid }));
}
