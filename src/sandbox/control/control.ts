// The powers of the control address, in process: faults, quirks, calls and data on request, and a look at what happened.
import { z } from "zod";
import type { CallNowDeps, CallNowInput } from "../telephony/callNow.ts";
import { callNowSchema, endCallNow } from "../telephony/callNow.ts";
import type { FaultInput, Faults, ListedFault } from "./faults.ts";
import { faultSchema } from "./faults.ts";
import type { Quirks, QuirksInput } from "./quirks.ts";
import { PLAIN, quirksPatchSchema } from "./quirks.ts";
import type { SeenRequest } from "./requestLog.ts";
import type { Ring } from "../world/ringBuffer.ts";
import type { SeedDeps, SeedInput } from "../world/seed.ts";
import { plantSeed, seedSchema } from "../world/seed.ts";
import { wallTime } from "../api/timeText.ts";
import type { FaultyPost, WebhookFaults } from "../webhook/webhookFaults.ts";
import { NO_WEBHOOK_FAULTS, webhookFaultsSchema } from "../webhook/webhookFaults.ts";
import type { Webhook, WebhookAttempt, WebhookSender } from "../webhook/webhookSender.ts";

/** Ids come out as decimal strings, for they may lie beyond 2^53, and are taken as numbers, bigints or strings. */
export interface SandboxState {
  /** The service's wall clock. */
  now: string;
  timeZone: string;
  tasks: number;
  calls: number;
  assistants: { id: string; name: string; versions: string[] }[];
  webhookUrl: string | null;
}

/** Everything given is checked and refused with a ZodError that names the field. */
export interface SandboxControl {
  state(): SandboxState;
  /** @returns the rule's id, to take it back with. */
  addFault(fault: FaultInput): string;
  faults(): ListedFault[];
  /** One rule, or all of them. */
  clearFaults(id?: string): void;
  quirks(): Quirks;
  /** Sets what is given and leaves the rest. */
  setQuirks(quirks: QuirksInput): Quirks;
  resetQuirks(): void;
  webhookFaults(): WebhookFaults;
  /** Sets what is given and leaves the rest; applies to events from now on. */
  setWebhookFaults(faults: Partial<WebhookFaults>): WebhookFaults;
  resetWebhookFaults(): void;
  setWebhook(webhook: Webhook | null): void;
  /** Puts back the webhook that the sandbox was given by whoever started it. */
  resetWebhook(): void;
  /** Makes a call end now: it is in the list when this returns, and its event is on its way. */
  endCall(call?: CallNowInput): { sessionId: string };
  /** Puts in tasks and calls as given; nothing dials them and no events are sent. */
  seed(seed: SeedInput): { taskIds: string[]; sessionIds: string[] };
  /** Requests to /openapi since the last clearing, oldest first, at most 10,000. */
  requests(): SeenRequest[];
  clearRequests(): void;
  /** Tries to deliver an event, oldest first, at most 10,000. */
  webhooks(): WebhookAttempt[];
  clearWebhooks(): void;
}

export const webhookSchema = z.strictObject({ url: z.url(), authorization: z.string() }).nullable();

export function createControl(
  deps: CallNowDeps &
    SeedDeps & {
      faults: Faults;
      quirks: { get: () => Quirks; set: (quirks: Quirks) => void };
      post: FaultyPost;
      sender: WebhookSender;
      requests: Ring<SeenRequest>;
    },
): SandboxControl {
  const { faults, quirks, post, sender, requests, world, ids } = deps;
  return {
    state: () => ({
      now: wallTime(deps.now(), deps.timeZone),
      timeZone: deps.timeZone,
      tasks: world.tasks.size,
      calls: world.calls.length,
      assistants: [...world.assistants.values()].map(({ id, name, versions }) => ({
        id: String(id),
        name,
        versions: versions.map(({ vid }) => String(vid)),
      })),
      webhookUrl: sender.webhook()?.url ?? null,
    }),
    addFault: (fault) => faults.add(faultSchema.parse(fault)),
    faults: () => faults.list(),
    clearFaults: (id) => faults.clear(id),
    quirks: () => quirks.get(),
    setQuirks: (given) => {
      const patch = quirksPatchSchema.parse(given);
      quirks.set({ ...quirks.get(), ...withoutUndefined(patch) });
      if (patch.idsFrom) ids.startAt(patch.idsFrom);
      return quirks.get();
    },
    resetQuirks: () => quirks.set(PLAIN),
    webhookFaults: () => post.get(),
    setWebhookFaults: (given) => {
      const patch = webhookFaultsSchema.partial().parse(given);
      post.set({ ...post.get(), ...withoutUndefined(patch) });
      return post.get();
    },
    resetWebhookFaults: () => post.set(NO_WEBHOOK_FAULTS),
    setWebhook: (webhook) => sender.setWebhook(webhookSchema.parse(webhook)),
    resetWebhook: sender.resetWebhook,
    endCall: (call = {}) => ({ sessionId: endCallNow(callNowSchema.parse(call), deps) }),
    seed: (seed) => plantSeed(seedSchema.parse(seed), deps),
    requests: () => requests.list(),
    clearRequests: () => requests.clear(),
    webhooks: () => sender.attempts.list(),
    clearWebhooks: () => sender.attempts.clear(),
  };
}

function withoutUndefined<T extends object>(patch: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
