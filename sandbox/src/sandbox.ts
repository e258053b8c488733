// Connects the parts of the sandbox, a simulated calling service. All data is in memory and lost on restart.
import type { Logger } from "./logger.ts";
import { createAssistants } from "./world/assistants.ts";
import { createClock, createScheduler } from "./clock.ts";
import { createControl, createControlRoutes, type SandboxControl } from "./control/control.ts";
import { createDialler } from "./telephony/dialler.ts";
import { createFaults } from "./control/faults.ts";
import { createHistory, type HistorySize } from "./world/history.ts";
import { createIds, createWorld } from "./world/world.ts";
import { isOver, type Call } from "./world/model.ts";
import { createOpenApi } from "./api/openapi.ts";
import { DEFAULT_QUIRKS } from "./control/quirks.ts";
import { createRandom } from "./random.ts";
import { createRecordings } from "./api/recordingFiles.ts";
import { createRequestJournal } from "./journal.ts";
import { startServer } from "./sandboxServer.ts";
import { createShapes } from "./api/responseShapes.ts";
import { createTelephone } from "./telephony/telephone.ts";
import { isTimeZone } from "./timeText.ts";
import { startTraffic } from "./telephony/inboundTraffic.ts";
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
  /** Default true: inbound calls come in, and tasks of the history continue. False: only requested calls happen. */
  traffic?: boolean;
  /** Lifetime of a recording URL in real seconds, default 300. */
  recordingTtlS?: number;
  /** Real time, epoch ms; default Date.now. While it stands still, active calls do not end. */
  now?: () => number;
  log: Logger;
}

export interface Sandbox extends AsyncDisposable {
  /** The base address, such as http://127.0.0.1:4010. */
  readonly url: string;
  /** Simulated time, epoch ms. At a speed above 1 it runs ahead of the real time. */
  readonly now: () => number;
  /** Applies to all deliveries from now on, retries included. `control.resetWebhook` restores this value. */
  setWebhook(webhook: Webhook | null): void;
  readonly control: SandboxControl;
}

const LIMITS = { calls: 50_000, tasks: 5000 };
const HISTORY: HistorySize = { tasks: 40, calls: 4000, days: 7 };

/** Resolves when the server listens. Rejects with a RangeError for an unknown zone or a bad speed, or if the port is taken. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { timeZone, log, speed = 1, seed = 1 } = options;
  const clock = createClock({ now: options.now ?? Date.now, speed });
  const { now, realNow: real } = clock;
  if (!(speed > 0)) throw new RangeError("The speed must be greater than 0.");
  if (!isTimeZone(timeZone)) throw new RangeError(`Unknown time zone: ${timeZone}.`);

  const scheduler = createScheduler({ clock, speed, log });
  const world = createWorld(LIMITS);
  const ids = createIds(real());
  const { session } = ids;
  const { all: assistants, inbound } = createAssistants(seed, now());
  for (const assistant of assistants) world.addAssistant(assistant);
  const history = createHistory(options.history ?? HISTORY, {
    seed,
    now: now(),
    timeZone,
    assistants,
    inbound,
    session,
  });
  for (const task of history.tasks) world.addTask(task);
  for (const call of history.calls) world.addCall(call);

  let quirks = DEFAULT_QUIRKS;
  let base = "";
  const recordings = createRecordings({
    base: () => base,
    real,
    ttlS: options.recordingTtlS ?? 300,
    soundOf: (sessionId) => sessionId,
  });
  const shapes = createShapes({ world, quirks: () => quirks, recordings, timeZone });
  const sender = createWebhookSender({ scheduler, real, log });
  sender.setDefault(options.webhook);
  const webhook = createFaultyWebhook({ send: sender.send, scheduler, random: createRandom(seed, "post") });
  const onEnded = (call: Call) => webhook.deliver(call.sessionId, shapes.callEnded(call));

  const telephone = createTelephone({ world, scheduler, onEnded });
  const dialler = createDialler({ world, telephone, scheduler, now, session, timeZone, seed });
  const faults = createFaults();
  const requests = createRequestJournal();
  const parts = { world, ids, dialler, now, timeZone, faults, requests };
  const control = createControl({
    ...parts,
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

  if (options.traffic ?? true) {
    for (const task of history.tasks.filter((each) => !isOver(each))) dialler.start(task);
    startTraffic({ telephone, scheduler, now, session, assistants: inbound, seed });
  }

  return {
    url: base,
    now,
    setWebhook: sender.setDefault,
    control,
    [Symbol.asyncDispose]: async () => {
      scheduler[Symbol.dispose]();
      await sender[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
