// Sends GETs to the service through a proxy, with undici. The checks of a response are those of transport.ts.
import type { Dispatcher } from "undici";
import type { ProxyConfig } from "../config/proxyConfig.ts";
import { CodedError } from "../errors.ts";
import { createProxyAgent } from "./proxyAgent.ts";
import { unavailableError, type ServiceResponse } from "./serviceResponse.ts";
import {
  checkContentType,
  MAX_BODY_BYTES,
  MAX_DISCARDED_BYTES,
  splitBaseUrl,
  textOf,
  tooLargeError,
  UNSAFE_IN_PATH,
  type ServiceEndpoint,
  type Transport,
} from "./transport.ts";

export function createProxiedTransport({ url, token }: ServiceEndpoint, proxy: () => ProxyConfig): Transport {
  const { origin, prefix } = splitBaseUrl(url);
  // The caller has a deadline and ends the request then.
  const open = (to: ProxyConfig) => ({ to, agent: createProxyAgent(to, { headersTimeout: 0, bodyTimeout: 0 }) });
  let current = open(proxy());
  let sent = 0;

  function agentOfNow() {
    const to = proxy();
    if (to !== current.to) {
      // Its requests in flight may finish.
      void current.agent.close().catch(() => undefined);
      current = open(to);
    }
    return current.agent;
  }

  async function exchange(path: string, traceparent: string | null, signal: AbortSignal): Promise<ServiceResponse> {
    if (UNSAFE_IN_PATH.test(path)) throw new TypeError("A path has characters that must be encoded.");
    const headers = {
      authorization: `Bearer ${token.current()}`,
      accept: "application/json",
      "accept-encoding": "identity",
      ...(traceparent === null ? {} : { traceparent }),
    };
    const response = await agentOfNow().request({ origin, path: prefix + path, method: "GET", headers, signal });
    const { statusCode: status, body } = response;
    if (status > 299) {
      void body.dump({ limit: MAX_DISCARDED_BYTES, signal }).catch(() => undefined);
      return responseOf(response, "");
    }
    // Destroying it emits an error, which needs a listener.
    body.on("error", () => undefined);
    try {
      const type = headerOf(response, "content-type");
      checkContentType(type);
      return responseOf(response, textOf(await bytesOf(body), headerOf(response, "content-encoding"), type));
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  return {
    send(path, { traceparent, onOutcome, onFree }) {
      const aborting = new AbortController();
      let isOver = false;
      const end = () => {
        if (isOver) return false;
        isOver = true;
        onFree();
        return true;
      };
      sent += 1;
      exchange(path, traceparent, aborting.signal).then(
        (response) => end() && onOutcome(response),
        (error: unknown) => end() && onOutcome(asOutcome(error)),
      );
      return () => {
        if (end()) aborting.abort();
      };
    },
    sent: () => sent,
    [Symbol.asyncDispose]: () => current.agent.destroy(),
  };
}

const asOutcome = (error: unknown): Error =>
  error instanceof CodedError || error instanceof TypeError ? error : unavailableError(error);

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw tooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function responseOf(response: Dispatcher.ResponseData, text: string): ServiceResponse {
  const { statusCode: status } = response;
  return { status, retryAfter: headerOf(response, "retry-after"), date: headerOf(response, "date"), text };
}

/** Undefined also for a header that occurs twice. */
function headerOf({ headers }: Pick<Dispatcher.ResponseData, "headers">, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
