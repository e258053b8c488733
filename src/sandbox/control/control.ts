// The powers of the control address, in process: faults, quirks, calls and data on request, and a look at what happened.
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
import { parseJson } from "../bigintJson.ts";
import { jsonResponse, HttpError, type ApiResponse } from "../api/response.ts";

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
  endCall(call?: EndCallInput): { sessionId: string };
  /** Puts in tasks and calls as given; nothing dials them and no events are sent. */
  seed(seed: SeedInput): { taskIds: string[]; sessionIds: string[] };
  /** Requests to /openapi since the last clearing, oldest first, at most 10,000. */
  requests(): RecordedRequest[];
  clearRequests(): void;
  /** Tries to deliver an event, oldest first, at most 10,000. */
  webhooks(): WebhookAttempt[];
  clearWebhooks(): void;
}

export const webhookSchema = z.strictObject({ url: z.url(), authorization: z.string() }).nullable();

export function createControl(
  deps: EndCallDeps &
    SeedDeps & {
      faults: Faults;
      quirks: { get: () => Quirks; set: (quirks: Quirks) => void };
      post: FaultyWebhook;
      sender: WebhookSender;
      requests: Journal<RecordedRequest>;
    },
): SandboxControl {
  const { faults, quirks, post, sender, requests, world, ids } = deps;
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
    webhookFaults: () => post.get(),
    setWebhookFaults: (given) => {
      const patch = webhookFaultsSchema.partial().parse(given);
      post.set({ ...post.get(), ...withoutUndefined(patch) });
      return post.get();
    },
    resetWebhookFaults: () => post.set(NO_WEBHOOK_FAULTS),
    setWebhook: (webhook) => sender.setWebhook(webhookSchema.parse(webhook)),
    resetWebhook: sender.resetWebhook,
    endCall: (call = {}) => ({ sessionId: endCall(endCallSchema.parse(call), deps) }),
    seed: (seed) => applySeed(seedSchema.parse(seed), deps),
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

type Handle = (body: () => unknown, rest: string) => unknown;

/** Answers a request under /sandbox. The caller has been found to know the token. Throws a Refusal. */
export function createControlRoutes(
  control: SandboxControl,
): (request: { method: string; path: string; body: Buffer }) => ApiResponse {
  // What a body is worth is for the schemas behind these calls to say: they are strict, and a ZodError becomes a 400.
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
