// The control API, in process and over HTTP under /sandbox/: faults, quirks, requested calls and data, and journals of requests
// and webhook attempts. docs/sandbox.md is its reference.
import { z } from "zod";
import { endCallSchema, endCall, type EndCallDeps, type EndCallInput } from "./endCall.ts";
import { faultSchema, type FaultInput, type Faults, type ListedFault } from "./faults.ts";
import { DEFAULT_QUIRKS, quirksPatchSchema, type Quirks, type QuirksInput } from "./quirks.ts";
import type { RecordedRequest, Journal } from "../journal.ts";
import { applySeed, seedSchema, type SeedDeps, type SeedInput } from "./seed.ts";
import { formatWall } from "../timeText.ts";
import {
  NO_WEBHOOK_FAULTS,
  webhookFaultsSchema,
  type FaultyWebhook,
  type WebhookFaults,
} from "../webhook/webhookFaults.ts";
import type { Webhook, WebhookAttempt, WebhookSender } from "../webhook/webhookSender.ts";
import type { ReceivedMessage } from "../receiver/receivedMessage.ts";
import type { Receiver } from "../receiver/receiver.ts";
import { parseJson } from "../bigintJson.ts";
import { jsonResponse, HttpError, type ApiResponse } from "../api/response.ts";

/** Ids are decimal strings, because they may exceed 2^53. Inputs accept numbers, bigints or strings. */
export interface SandboxState {
  /** The service's wall clock. */
  now: string;
  timeZone: string;
  tasks: number;
  calls: number;
  assistants: { id: string; name: string; versions: string[] }[];
  webhookUrl: string | null;
}

/** Checks every input, and throws a ZodError that names the bad field. */
export interface SandboxControl {
  state(): SandboxState;
  /** @returns the rule's id, for `clearFaults`. */
  addFault(fault: FaultInput): string;
  faults(): ListedFault[];
  /** Removes one rule, or all. */
  clearFaults(id?: string): void;
  quirks(): Quirks;
  /** Changes only the given quirks. */
  setQuirks(quirks: QuirksInput): Quirks;
  resetQuirks(): void;
  webhookFaults(): WebhookFaults;
  /** Changes only the given faults, for events from now on. */
  setWebhookFaults(faults: Partial<WebhookFaults>): WebhookFaults;
  resetWebhookFaults(): void;
  setWebhook(webhook: Webhook | null): void;
  /** Restores the webhook that the sandbox was started with. */
  resetWebhook(): void;
  /** Ends a call now. When this returns, the call is in the list and its event is being sent. */
  endCall(call?: EndCallInput): { sessionId: string };
  /** Adds tasks and calls as given. The tasks are not dialled, and no events are sent. */
  seed(seed: SeedInput): { taskIds: string[]; sessionIds: string[] };
  /** Requests to /openapi since `clearRequests`, oldest first, at most 10,000. */
  requests(): RecordedRequest[];
  clearRequests(): void;
  /** Attempts to deliver events since `clearWebhooks`, oldest first, at most 10,000. */
  webhooks(): WebhookAttempt[];
  clearWebhooks(): void;
  /** Messages that came to /receiver since `clearReceived`, oldest first, at most 200. */
  received(): ReceivedMessage[];
  clearReceived(): void;
}

export const webhookSchema = z.strictObject({ url: z.url(), authorization: z.string() }).nullable();

export function createControl(
  deps: EndCallDeps &
    SeedDeps & {
      faults: Faults;
      quirks: { get: () => Quirks; set: (quirks: Quirks) => void };
      webhook: FaultyWebhook;
      sender: WebhookSender;
      receiver: Receiver;
      requests: Journal<RecordedRequest>;
    },
): SandboxControl {
  const { faults, quirks, webhook: faultyWebhook, sender, receiver, requests, world, ids } = deps;
  return {
    state: () => ({
      now: formatWall(deps.now(), deps.timeZone),
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
    resetQuirks: () => quirks.set(DEFAULT_QUIRKS),
    webhookFaults: () => faultyWebhook.get(),
    setWebhookFaults: (given) => {
      const patch = webhookFaultsSchema.partial().parse(given);
      faultyWebhook.set({ ...faultyWebhook.get(), ...withoutUndefined(patch) });
      return faultyWebhook.get();
    },
    resetWebhookFaults: () => faultyWebhook.set(NO_WEBHOOK_FAULTS),
    setWebhook: (webhook) => sender.setWebhook(webhookSchema.parse(webhook)),
    resetWebhook: sender.resetWebhook,
    endCall: (call = {}) => ({ sessionId: endCall(endCallSchema.parse(call), deps) }),
    seed: (seed) => applySeed(seedSchema.parse(seed), deps),
    requests: () => requests.list(),
    clearRequests: () => requests.clear(),
    webhooks: () => sender.attempts.list(),
    clearWebhooks: () => sender.attempts.clear(),
    received: receiver.messages,
    clearReceived: receiver.clear,
  };
}

function withoutUndefined<T extends object>(patch: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

type Handle = (body: () => unknown, rest: string) => unknown;

/** Answers requests under /sandbox, after the token was checked. Throws an HttpError. */
export function createControlRoutes(
  control: SandboxControl,
): (request: { method: string; path: string; body: Buffer }) => ApiResponse {
  // The strict schemas behind these calls check the bodies; a ZodError becomes a 400.
  const routes: Record<string, Record<string, Handle>> = {
    "": { GET: () => control.state() },
    faults: {
      GET: () => control.faults(),
      POST: (body) => ({ id: control.addFault(body() as FaultInput) }),
      DELETE: (_body, id) => control.clearFaults(id === "" ? undefined : id),
    },
    quirks: {
      GET: () => control.quirks(),
      PATCH: (body) => control.setQuirks(body() as Parameters<SandboxControl["setQuirks"]>[0]),
      DELETE: () => control.resetQuirks(),
    },
    "webhook-faults": {
      GET: () => control.webhookFaults(),
      PATCH: (body) => control.setWebhookFaults(body() as Parameters<SandboxControl["setWebhookFaults"]>[0]),
      DELETE: () => control.resetWebhookFaults(),
    },
    webhook: {
      PUT: (body) => control.setWebhook(body() as Webhook | null),
      DELETE: () => control.resetWebhook(),
    },
    calls: { POST: (body) => control.endCall(body() as Parameters<SandboxControl["endCall"]>[0]) },
    seed: { POST: (body) => control.seed(body() as Parameters<SandboxControl["seed"]>[0]) },
    requests: { GET: () => control.requests(), DELETE: () => control.clearRequests() },
    webhooks: { GET: () => control.webhooks(), DELETE: () => control.clearWebhooks() },
    received: { GET: () => control.received(), DELETE: () => control.clearReceived() },
  };

  return ({ method, path, body }) => {
    const [, , name = "", rest = "", ...more] = path.split("/");
    const route = more.length === 0 && (rest === "" || name === "faults") ? routes[name] : undefined;
    if (!route) throw new HttpError(404, "no such path");
    const handle = route[method];
    if (!handle) throw new HttpError(405, "method not allowed", { allow: Object.keys(route).join(", ") });
    try {
      return jsonResponse(200, handle(() => (body.length === 0 ? {} : parseJson(body.toString("utf8"))), rest) ?? {});
    } catch (error) {
      if (error instanceof z.ZodError) throw new HttpError(400, z.prettifyError(error));
      if (error instanceof SyntaxError) throw new HttpError(400, "the body is not JSON");
      throw error;
    }
  };
}
