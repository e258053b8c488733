// Connects the parts of the sandbox, a simulated calling service. All data is in memory and lost on restart.
import type { Logger } from "./logger.ts";
import { stringifyJson } from "./bigintJson.ts";
import { createAssistants } from "./world/assistants.ts";
import { createClock, createScheduler } from "./clock.ts";
import { createControl, createControlRoutes, type SandboxControl } from "./control/control.ts";
import { createDialler } from "./telephony/dialler.ts";
import { createFaults } from "./control/faults.ts";
import { createHistory, type HistorySize } from "./world/history.ts";
import { createIds, createWorld } from "./world/world.ts";
import { isOver, type Call, type Task } from "./world/model.ts";
import { createOpenApi } from "./api/openapi.ts";
import { DEFAULT_QUIRKS } from "./control/quirks.ts";
import { createRandom } from "./random.ts";
import { createReceiver } from "./receiver/receiver.ts";
import { createRecordings } from "./api/recordingFiles.ts";
import { createRequestJournal } from "./journal.ts";
import { startServer } from "./sandboxServer.ts";
import { createShapes } from "./api/responseShapes.ts";
import { createTelephone } from "./telephony/telephone.ts";
import { isTimeZone } from "./timeText.ts";
import { startTraffic } from "./telephony/inboundTraffic.ts";
import { tellCalls } from "./webhook/tellCalls.ts";
import { createFaultyWebhook } from "./webhook/webhookFaults.ts";
import { createWebhookSender, type Webhook } from "./webhook/webhookSender.ts";

export type { SandboxControl } from "./control/control.ts";

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Clients must send `Authorization: Bearer <token>`. */
  token: string;
  /** IANA name of the zone of the service's wall clock. */
  timeZone: string;
  /** Receives call-ended events. Null: events before `setWebhook` are lost. */
  webhook: Webhook | null;
  /** Simulated seconds for each real second, default 1. */
  speed?: number;
  /** Default 1. */
  seed?: number;
  /** Default: 40 tasks and about 4000 calls over 7 days, today included. */
  history?: HistorySize;
  /**
   * Default false. True: as people see it beside a new gateway. The history and the traffic begin with `begin`, and calls of the same
   * length share a recording, so that an archive stays small.
   */
  forPeople?: boolean;
  /** Default true: inbound calls come in, and tasks of the history continue. False: only requested calls happen. */
  traffic?: boolean;
  /** How many calls are kept, default 50,000. The oldest ended ones are removed. */
  keptCalls?: number;
  /** Lifetime of a recording URL in real seconds, default 300. */
  recordingTtlS?: number;
  /** Real time, epoch ms; default Date.now. While it stands still, active calls do not end. */
  now?: () => number;
  log: Logger;
}

/** Which calls of the history are told by their events. In epoch ms of the sandbox. */
export interface Told {
  /** Those that ended later. */
  after: number;
  /**
   * From here on a gateway searches the list for calls without an event. Such a call is listed when its event was answered, and one that is
   * not told does not exist.
   */
  searchedFrom: number;
}

export interface Sandbox extends AsyncDisposable {
  /** The base address, such as http://127.0.0.1:4010. */
  readonly url: string;
  /** Simulated time, epoch ms. At a speed above 1 it runs ahead of the real time. */
  readonly now: () => number;
  /** Applies to all deliveries from now on, retries included. `control.resetWebhook` restores this value. */
  setWebhook(webhook: Webhook | null): void;
  /**
   * With `forPeople`: makes the history, and then traffic begins. Resolves when the events of the history were sent, or when the sandbox
   * stops. Call it once.
   *
   * @param told null: the history is only listed. Otherwise it is a lively one, and the traffic waits for its events.
   */
  begin(told: Told | null): Promise<void>;
  readonly control: SandboxControl;
}

const LIMITS = { calls: 50_000, tasks: 5000 };
const HISTORY: HistorySize = { tasks: 40, calls: 4000, days: 7 };
const LIVELY_HISTORY: HistorySize = { tasks: 40, calls: 4000, days: 7, isLively: true };

/** Resolves when the server listens. Rejects with a RangeError for an unknown zone or a bad speed, or if the port is taken. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { timeZone, log, speed = 1, seed = 1 } = options;
  const clock = createClock({ now: options.now ?? Date.now, speed });
  const { now, realNow: real } = clock;
  if (!(speed > 0)) throw new RangeError("The speed must be greater than 0.");
  if (!isTimeZone(timeZone)) throw new RangeError(`Unknown time zone: ${timeZone}.`);

  const scheduler = createScheduler({ clock, speed, log });
  const world = createWorld({ ...LIMITS, calls: options.keptCalls ?? LIMITS.calls });
  const ids = createIds(real());
  const { session } = ids;
  const { all: assistants, inbound } = createAssistants(seed, now());
  for (const assistant of assistants) world.addAssistant(assistant);
  const { traffic = true, forPeople = false } = options;
  const addHistory = (size: HistorySize) => {
    const history = createHistory(size, { seed, now: now(), timeZone, assistants, inbound, session });
    for (const task of history.tasks) world.addTask(task);
    return history;
  };
  const list = (calls: readonly Call[]) => calls.forEach((call) => world.addCall(call));
  const past = forPeople ? null : addHistory(options.history ?? HISTORY);
  if (past) list(past.calls);

  let quirks = DEFAULT_QUIRKS;
  let base = "";
  const recordings = createRecordings({
    base: () => base,
    real,
    ttlS: options.recordingTtlS ?? 300,
    soundOf: (sessionId) => (forPeople ? "" : sessionId),
  });
  const shapes = createShapes({ world, quirks: () => quirks, recordings, timeZone });
  const sender = createWebhookSender({ scheduler, real, log });
  sender.setDefault(options.webhook);
  const webhook = createFaultyWebhook({ send: sender.send, scheduler, random: createRandom(seed, "post") });
  const onEnded = (call: Call) => webhook.deliver(call.sessionId, shapes.callEnded(call));

  const telephone = createTelephone({ world, scheduler, onEnded });
  const dialler = createDialler({ world, telephone, scheduler, now, session, timeZone, seed });
  const faults = createFaults();
  const receiver = createReceiver(real);
  const requests = createRequestJournal();
  const parts = { world, ids, dialler, now, timeZone, faults, requests };
  const control = createControl({
    ...parts,
    receiver,
    inbound,
    onEnded,
    webhook,
    sender,
    random: createRandom(seed, "calls on request"),
    quirks: { get: () => quirks, set: (next) => void (quirks = next) },
  });

  const server = await startServer({
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    token: options.token,
    recordings,
    receiver,
    faults,
    requests,
    scheduler,
    real,
    log,
    openApi: createOpenApi({ ...parts, shapes, quirks: () => quirks, seed }),
    control: createControlRoutes(control),
  });
  base = server.url;
  log.info({ url: base, timeZone, speed, tasks: world.tasks.size, calls: world.calls.length }, "The sandbox listens.");

  const startCalls = (tasks: readonly Task[]) => {
    if (!traffic) return;
    for (const task of tasks.filter((each) => !isOver(each))) dialler.start(task);
    startTraffic({ telephone, scheduler, now, session, assistants: inbound, seed });
  };
  if (past) startCalls(past.tasks);
  const stopping = new AbortController();
  const begin = async (told: Told | null) => {
    const { tasks, calls } = addHistory(options.history ?? (told ? LIVELY_HISTORY : HISTORY));
    const { after, searchedFrom } = told ?? { after: Infinity, searchedFrom: Infinity };
    const endOf = ({ endAt }: Call) => endAt ?? 0;
    list(calls.filter((call) => endOf(call) < searchedFrom));
    const untold = calls.filter((call) => endOf(call) > after);
    const listOnce = (call: Call) => void (world.findCall(call.sessionId) ?? world.addCall(call));
    const send = (call: Call) =>
      sender.send({ sessionId: call.sessionId, body: stringifyJson(shapes.callEnded(call)) });
    await tellCalls(untold, { send, list: listOnce, signal: stopping.signal });
    if (stopping.signal.aborted) return;
    log.info({ tasks: tasks.length, calls: world.calls.length, told: untold.length }, "The sandbox has begun.");
    startCalls(tasks);
  };

  return {
    url: base,
    now,
    setWebhook: sender.setDefault,
    begin,
    control,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      scheduler[Symbol.dispose]();
      await sender[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
