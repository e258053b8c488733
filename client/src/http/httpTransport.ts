// Sends one operation by POST, and reads its result.
import { errorOfBody, errorOfResult, networkError, retryAfterOf, type GraphResult } from "./answerErrors.ts";
import type { AskCredentials, Refused } from "./credentials.ts";
import { createScope, runInScope } from "../scope.ts";
import { SwitchboardError } from "../switchboardError.ts";

export interface Payload {
  query: string;
  variables?: Record<string, unknown> | undefined;
}

export interface PostOptions {
  accept: string;
  signal: AbortSignal;
  refused?: Refused | null | undefined;
}

export interface Answer {
  response: Response;
  /** What was sent. */
  authorization: string | undefined;
}

export interface HttpTransport {
  /** Throws NETWORK, AUTHORIZATION_FAILED, BAD_RESPONSE for a redirect, or UNAUTHENTICATED for credentials that cannot change. */
  post(payload: Payload, options: PostOptions): Promise<Answer>;
  /** One result. After a 401 it is asked for once more, with another value of `authorization`. */
  request<Data>(payload: Payload, signal: AbortSignal, timeoutMs?: number): Promise<Data>;
}

const TIMEOUT_MS = 60_000;
const RESULT = "application/graphql-response+json, application/json;q=0.9";

export function createHttpTransport(
  url: string,
  ask: AskCredentials,
  fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
): HttpTransport {
  async function post(payload: Payload, { accept, signal, refused }: PostOptions): Promise<Answer> {
    const authorization = await ask(refused);
    const headers = { "content-type": "application/json", accept, ...(authorization && { authorization }) };
    // A payload may hold phone numbers, which no other address may get.
    const init: RequestInit = { method: "POST", headers, body: JSON.stringify(payload), signal, redirect: "manual" };
    const response = await fetch(url, init).catch((cause: unknown) => {
      throw networkError("The gateway was not reached.", cause);
    });
    if (isRedirect(response)) throw new SwitchboardError("BAD_RESPONSE", REDIRECT, { status: response.status });
    return { response, authorization };
  }

  async function answerTo(payload: Payload, signal: AbortSignal): Promise<Response> {
    const options = { accept: RESULT, signal };
    const { response, authorization } = await post(payload, options);
    if (response.status !== 401) return response;
    const again = await post(payload, { ...options, refused: { value: authorization } }).catch(nullIfUnauthenticated);
    if (!again) return response;
    await response.body?.cancel();
    return again.response;
  }

  return {
    post,
    request<Data>(payload: Payload, outer: AbortSignal, timeoutMs = TIMEOUT_MS) {
      const work = async (signal: AbortSignal) => readData<Data>(await answerTo(payload, signal));
      return runInScope(createScope(outer), work, timeoutMs);
    },
  };
}

const REDIRECT =
  "The address sends requests to another one, and none is sent there: give the client the gateway's own.";

/** Browsers tell no status. */
function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

/** There are no other credentials: the first answer tells more. */
function nullIfUnauthenticated(error: unknown): null {
  if (error instanceof SwitchboardError && error.code === "UNAUTHENTICATED") return null;
  throw error;
}

/** Throws the error of an answer without a result, or with errors. */
export async function readData<Data>(response: Response): Promise<Data> {
  const text = await response.text().catch((cause: unknown) => {
    throw networkError("The connection broke.", cause);
  });
  const result = parseResult<Data>(text);
  const answer = { status: response.status, retryAfter: retryAfterOf(response) };
  if (!result) throw errorOfBody(text, answer);
  if (result.errors?.length || result.data == null) throw errorOfResult(result, answer);
  return result.data;
}

function parseResult<Data>(text: string): GraphResult<Data> | null {
  try {
    const result = JSON.parse(text) as GraphResult<Data> | null;
    return result && ("data" in result || "errors" in result) ? result : null;
  } catch {
    return null;
  }
}
