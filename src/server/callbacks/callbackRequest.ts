// Reads what a router asks for in Apollo's HTTP callback protocol: an address, to which the results of its subscription are posted.
// The address comes from a request, so only those below an address of the operator's list are called.
import { z } from "zod";
import { CALLBACK_LIMITS } from "../../config/limits.ts";
import type { OperationRequest } from "../../graphql/operationParams.ts";

/** Where the results of one subscription go. */
export interface CallbackTarget {
  /** Origin and path, as a URL writes them. */
  url: string;
  /** The router's ID of the subscription. */
  id: string;
  /** The router's secret, by which it recognises messages about the subscription. Never logged. */
  verifier: string;
  /** A message must arrive at least so often. 0: no heartbeat. */
  heartbeatMs: number;
}

/** As Apollo Server has it for a request that names none. */
const DEFAULT_HEARTBEAT_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;

const { urlLength, idLength, verifierLength, minHeartbeatMs } = CALLBACK_LIMITS;
const shape = z.object({
  callbackUrl: z.string().max(urlLength),
  subscriptionId: z.string().min(1).max(idLength),
  verifier: z.string().max(verifierLength),
  heartbeatIntervalMs: z
    .number()
    .refine((ms) => ms === 0 || ms >= minHeartbeatMs)
    .default(DEFAULT_HEARTBEAT_MS),
});

/** Letters that a URL parser neither removes nor replaces: no credentials, escapes, backslashes, query, fragment or spaces. */
const PLAIN_ADDRESS = /^https?:\/\/[\w.\-:[\]]+(\/[\w\-.~]+)*\/?$/i;

/** Whether the client takes results of a subscription by the protocol's version 1.0. */
export function acceptsCallback(accept: string | undefined): boolean {
  return accept !== undefined && /;\s*callbackspec="?1\.0/i.test(accept);
}

/** Whether a request names where its results go. */
export function hasCallback({ extensions }: OperationRequest): boolean {
  return typeof extensions === "object" && extensions !== null && Object.hasOwn(extensions, "subscription");
}

/** Returns the target, or a message that says what is wrong with it. `allowed`: SUBSCRIPTION_CALLBACK_URLS. */
export function readCallback({ extensions }: OperationRequest, allowed: readonly string[]): CallbackTarget | string {
  if (allowed.length === 0)
    return "The gateway calls no router: SUBSCRIPTION_CALLBACK_URLS is not set. Subscribe by text/event-stream or WebSocket.";
  const { data } = shape.safeParse((extensions as Record<string, unknown>)["subscription"]);
  if (!data)
    return `extensions.subscription needs a callbackUrl, a subscriptionId of 1 to ${idLength} characters, a verifier of at most ${verifierLength}, and a heartbeatIntervalMs that is 0 or at least ${minHeartbeatMs}.`;
  const url = findAllowed(data.callbackUrl, allowed);
  if (url === null) return "callbackUrl is not below an address of SUBSCRIPTION_CALLBACK_URLS.";
  const heartbeatMs = Math.min(data.heartbeatIntervalMs, DAY_MS);
  return { url, id: data.subscriptionId, verifier: data.verifier, heartbeatMs };
}

/** The address that is called, with dot segments and default ports removed. Null: it is not below an allowed one. */
function findAllowed(text: string, allowed: readonly string[]): string | null {
  const url = PLAIN_ADDRESS.test(text) ? URL.parse(text) : null;
  if (!url) return null;
  const address = url.origin + url.pathname;
  return allowed.some((prefix) => address === prefix || address.startsWith(`${prefix}/`)) ? address : null;
}
