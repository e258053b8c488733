// Opens the transport to the service: directly, or through a proxy.
import { afterReading } from "../util/deadline.ts";
import { createProxiedTransport } from "./proxiedTransport.ts";
import type { LiveProxy } from "./proxyAgent.ts";
import { timeoutError, type ServiceResponse } from "./serviceResponse.ts";
import { createTransport, type ServiceEndpoint, type Transport } from "./transport.ts";

export interface ProxiedEndpoint extends ServiceEndpoint {
  proxy: LiveProxy;
}

export function openTransport({ proxy, ...endpoint }: ProxiedEndpoint): Transport {
  return proxy === null ? createTransport(endpoint) : createProxiedTransport(endpoint, proxy);
}

/** Sends single GETs without a cache or retries, each with a deadline of its own. The doctor must see every response. */
export interface SingleGet extends AsyncDisposable {
  /** Resolves and throws as `onOutcome` of a TransportRequest. */
  get(path: string): Promise<ServiceResponse>;
}

export function createSingleGet(endpoint: ProxiedEndpoint): SingleGet {
  const transport = openTransport(endpoint);
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const end = () => {
          abort();
          reject(timeoutError());
        };
        const timer = setTimeout(() => afterReading(end), endpoint.timeoutMs);
        const onOutcome = (outcome: ServiceResponse | Error) => {
          clearTimeout(timer);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        const abort = transport.send(path, {
          traceparent: null,
          onlyNew: true,
          onStale: () => undefined,
          onOutcome,
          onFree: () => undefined,
        });
      }),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
