// The control address: the same powers over HTTP, JSON in and out, under /sandbox/ (docs/sandbox.md is its reference).
import { z } from "zod";
import type { SandboxControl } from "./control.ts";
import type { FaultInput } from "./faults.ts";
import { parseJson } from "../api/bigintJson.ts";
import type { Answer } from "../api/respond.ts";
import { json, Refusal } from "../api/respond.ts";
import type { Webhook } from "../webhook/webhookSender.ts";

type Handle = (body: () => unknown, rest: string) => unknown;

/** Answers a request under /sandbox. The caller has been found to know the token. Throws a Refusal. */
export function createControlRoutes(
  control: SandboxControl,
): (request: { method: string; path: string; body: Buffer }) => Answer {
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
    if (!route) throw new Refusal(404, "no such path");
    const handle = route[method];
    if (!handle) throw new Refusal(405, "method not allowed", { allow: Object.keys(route).join(", ") });
    try {
      return json(200, handle(() => (body.length === 0 ? {} : parseJson(body.toString("utf8"))), rest) ?? {});
    } catch (error) {
      if (error instanceof z.ZodError) throw new Refusal(400, z.prettifyError(error));
      if (error instanceof SyntaxError) throw new Refusal(400, "the body is not JSON");
      throw error;
    }
  };
}
