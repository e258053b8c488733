// Sends one operation by POST, and reads its result.
import { errorOfBody, errorOfResult, networkError, retryAfterOf, type GraphResult } from "./answerErrors.ts";
import type { AskCredentials, Refused } from "./credentials.ts";
import { createScope } from "../pause.ts";
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
  /** Throws NETWORK, UNAUTHENTICATED for credentials that cannot change, or the reason of the signal. */
  post(payload: Payload, options: PostOptions): Promise<Answer>;
  /** One result. After a 401 it is asked for once more, with another value of `authorization`. */
  request<Data>(payload: Payload, signal: AbortSignal, timeoutMs: number): Promise<Data>;
}

const RESULT = "application/graphql-response+json, application/json;q=0.9";

export function createHttpTransport(
  url: string,
  ask: AskCredentials,
  fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
): HttpTransport {
  async function post(payload: Payload, { accept, signal, refused }: PostOptions): Promise<Answer> {
    const authorization = await ask(refused);
    signal.throwIfAborted();
    const headers = { "content-type": "application/json", accept, ...(authorization && { authorization }) };
    try {
      const init = { method: "POST", headers, body: JSON.stringify(payload), signal };
      return { response: await fetch(url, init), authorization };
    } catch (cause) {
      signal.throwIfAborted();
      throw networkError("The gateway was not reached.", cause);
    }
  }

  async function once(payload: Payload, signal: AbortSignal, refused: Refused | null): Promise<Answer> {
    const answer = await post(payload, { accept: RESULT, signal, refused });
    if (answer.response.status !== 401 || refused) return answer;
    const again = await once(payload, signal, { value: answer.authorization }).catch(nullIfUnauthenticated);
    if (!again) return answer;
    await answer.response.body?.cancel();
    return again;
  }

  return {
    post,
    async request<Data>(payload: Payload, outer: AbortSignal, timeoutMs: number) {
      const { signal, abort, release } = createScope(outer);
      const timer = setTimeout(() => abort(networkError("The gateway did not answer in time.")), timeoutMs);
      try {
        const { response } = await once(payload, signal, null);
        return await readData<Data>(response, signal);
      } finally {
        clearTimeout(timer);
        release();
      }
    },
  };
}

/** There are no other credentials: the first answer tells more. */
function nullIfUnauthenticated(error: unknown): null {
  if (error instanceof SwitchboardError && error.code === "UNAUTHENTICATED") return null;
  throw error;
}

async function readData<Data>(response: Response, signal: AbortSignal): Promise<Data> {
  const text = await response.text().catch((cause: unknown) => {
    signal.throwIfAborted();
    throw networkError("The connection broke.", cause);
  });
  const result = parseResult<Data>(text);
  const answer = { status: response.status, retryAfter: retryAfterOf(response) };
  if (!result) throw errorOfBody(text, answer);
  if (result.errors?.length || result.data == null) throw errorOfResult(result, answer);
  return result.data;
}

/** The error of an answer that should have been a stream. */
export async function errorOfResponse(response: Response): Promise<Error> {
  return readData(response, new AbortController().signal).then(
    () => errorOfBody("not a stream of events", { status: response.status }),
    (error: Error) => error,
  );
}

function parseResult<Data>(text: string): GraphResult<Data> | null {
  try {
    const result = JSON.parse(text) as GraphResult<Data> | null;
    return result && ("data" in result || "errors" in result) ? result : null;
  } catch {
    return null;
  }
}
