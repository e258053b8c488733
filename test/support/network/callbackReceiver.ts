// A router as the gateway sees it in Apollo's HTTP callback protocol: an address that takes messages, and a request that subscribes.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { callEndedEvent } from "../events.ts";
import { startFakeService } from "../fakeService.ts";
import type { GatewayAddress } from "../gateway.ts";

export interface CallbackMessage {
  kind: string;
  action: "check" | "next" | "complete";
  id: string;
  verifier: string;
  payload?: { data?: Record<string, { sessionId: string; cursor: string }> | null; errors?: unknown };
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

type Answer = (message: CallbackMessage, response: ServerResponse) => void;

export interface CallbackReceiver extends AsyncDisposable {
  /** Without a path. */
  url: string;
  /** In the order of their arrival. */
  messages: CallbackMessage[];
  headers: IncomingHttpHeaders[];
  /** Method and path of each request. */
  requests: string[];
  /** Answers the messages from now on. */
  answerWith(answer: Answer): void;
  /** Those of one action. */
  of(action: CallbackMessage["action"]): CallbackMessage[];
}

export const VERIFIER = "verifier-canary";

export const confirm = (_: CallbackMessage, response: ServerResponse): void =>
  void response.writeHead(204, { "subscription-protocol": "callback/1.0" }).end();

export const answerStatus =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end();

export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  let answer: Answer = confirm;
  const [messages, headers, requests]: [CallbackMessage[], IncomingHttpHeaders[], string[]] = [[], [], []];
  const server = await startFakeService(
    createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      headers.push(request.headers);
      const take = (message: CallbackMessage) => {
        messages.push(message);
        answer(message, response);
      };
      // A message that is cut is none.
      json(request).then(
        (message) => take(message as CallbackMessage),
        () => undefined,
      );
    }),
  );
  return {
    url: server.url,
    messages,
    headers,
    requests,
    answerWith: (next) => void (answer = next),
    of: (action) => messages.filter((message) => message.action === action),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export const ENDED = "subscription ($after: String) { callEnded(after: $after) { sessionId cursor } }";

export interface CallbackRequest {
  callbackUrl: string;
  id?: string;
  query?: string;
  variables?: object;
  heartbeatIntervalMs?: number;
  authorization?: string;
  signal?: AbortSignal;
}

/** Posts a subscription, as a router does. */
export function subscribeByCallback(gatewayUrl: string, request: CallbackRequest): Promise<Response> {
  const { callbackUrl, id = "one", query = ENDED, variables, heartbeatIntervalMs = 0, authorization, signal } = request;
  return fetch(`${gatewayUrl}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json;callbackSpec=1.0",
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({
      query,
      variables,
      extensions: { subscription: { callbackUrl, subscriptionId: id, verifier: VERIFIER, heartbeatIntervalMs } },
    }),
    signal: signal ?? null,
  });
}

export const subscribers = async ({ ask }: GatewayAddress, headers = {}) => {
  const { data } = await ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }", {}, headers);
  return data?.gateway.subscribers;
};

export async function deliver({ deliver: post }: GatewayAddress): Promise<string> {
  const event = callEndedEvent({ task_id: 0 });
  const { status } = await post(event);
  if (status !== 200) throw new Error(`The webhook was answered with ${status}.`);
  return String(event.event_data["session_id"]);
}

export const errorOf = async (response: Response) => {
  const { errors } = (await response.json()) as {
    errors: { message: string; extensions: Record<string, unknown> }[];
  };
  return { status: response.status, code: errors[0]?.extensions["code"], message: errors[0]?.message };
};
