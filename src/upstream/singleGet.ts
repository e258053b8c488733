// Sends single GETs without the cache, the retries and the other layers of upstreamClient.ts. The doctor uses it, because it
// must see the response to every single request.
import { cancel, createCancellation } from "./cancellation.ts";
import { timeoutError, type ServiceResponse } from "./serviceResponse.ts";
import { createTransport, type ServiceEndpoint } from "./transport.ts";

export interface SingleGet extends AsyncDisposable {
  /** Sends one request; each has a deadline of its own. Resolves and throws as Send. */
  get(path: string): Promise<ServiceResponse>;
}

export function createSingleGet(endpoint: ServiceEndpoint): SingleGet {
  const transport = createTransport({ ...endpoint, connections: 1 });
  return {
    async get(path) {
      const cancellation = createCancellation();
      const deadlineAt = performance.now() + endpoint.timeoutMs;
      const timer = setTimeout(() => cancel(cancellation, timeoutError()), endpoint.timeoutMs);
      try {
        return await transport.send(path, { cancellation, deadlineAt, attempts: 0, beforeSend: () => undefined });
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
