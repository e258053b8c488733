// Sends single GETs, each with a deadline of its own and none of the client's layers: for whoever examines the service,
// and must see what it does at every request.
import type { ServiceResponse } from "./judgeResponse.ts";
import { createCancellation, cancel } from "./cancellation.ts";
import { timeoutError } from "./transportError.ts";
import { createTransport, type ServiceEndpoint } from "./transport.ts";

export interface SingleGet extends AsyncDisposable {
  /** As Send (send.ts), once. */
  get(path: string): Promise<ServiceResponse>;
}

export function createSingleGet(service: ServiceEndpoint): SingleGet {
  const transport = createTransport({ ...service, connections: 1 });
  return {
    async get(path) {
      const ending = createCancellation();
      const deadlineAt = performance.now() + service.timeoutMs;
      const timer = setTimeout(() => cancel(ending, timeoutError()), service.timeoutMs);
      try {
        return await transport.send(path, {
          cancellation: ending,
          deadlineAt,
          attempts: 0,
          beforeSend: () => undefined,
        });
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
